// What TVM's auto_scheduler made of small computations: tasks, sketches and programs to compare with.
#pragma once
#include <simdjson.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/gzip.h"
#include "schedule/step_json.h"
#include "task/text.h"
#include "tests/shared_data.h"

namespace hone {

struct OracleProgram {
  schedule::Steps steps;
  std::string state, nest;                    // no nest for a sketch
  std::vector<std::vector<double>> features;  // rows of a program; NaN where TVM does not repeat itself
};
struct OracleEntry {
  std::string name, target, initial;
  std::vector<std::int64_t> hardware;  // the 8 numbers of a record
  std::shared_ptr<const task::Task> task;
  std::vector<OracleProgram> sketches, programs;
};

namespace oracle_detail {

inline std::string text(simdjson::dom::element from, std::string_view key) {
  const std::string_view value = from[key];
  return std::string(value);
}

inline std::vector<std::vector<double>> features(simdjson::dom::array json) {
  std::vector<std::vector<double>> rows;
  for (const simdjson::dom::array row : json) {
    rows.emplace_back();
    for (const simdjson::dom::element value : row) {
      rows.back().push_back(value.is_null() ? std::nan("") : double(value));
    }
  }
  return rows;
}

inline OracleProgram program(simdjson::dom::element json) {
  OracleProgram out;
  const simdjson::dom::element steps = json["steps"];
  out.steps = schedule::steps_from_json(simdjson::minify(steps));
  out.state = text(json, "state");
  if (json["nest"].error() == simdjson::SUCCESS) out.nest = text(json, "nest");
  if (json["features"].error() == simdjson::SUCCESS) out.features = features(json["features"]);
  return out;
}

inline task::ParseContext context(simdjson::dom::array stages) {
  task::ParseContext context;
  for (const simdjson::dom::element stage : stages) {
    task::OpFacts facts;
    facts.name = text(stage, "name");
    const simdjson::dom::array shape = stage["shape"], reduce = stage["reduce"];
    for (const std::int64_t extent : shape) facts.shape.push_back(extent);
    for (const simdjson::dom::array axis : reduce) {
      const std::string_view name = axis.at(0);
      facts.reduce.emplace_back(std::string(name), std::int64_t(axis.at(1)));
    }
    context.ops.push_back(std::move(facts));
  }
  return context;
}

inline OracleEntry entry(simdjson::dom::element json) {
  OracleEntry out;
  out.name = text(json, "name");
  out.target = text(json, "target");
  out.initial = text(json, "initial");
  out.task =
      std::make_shared<const task::Task>(task::parse(text(json, "dag"), context(json["stages"])));
  const simdjson::dom::array hardware = json["hardware_params"];
  for (const std::int64_t number : hardware) out.hardware.push_back(number);
  const simdjson::dom::array sketches = json["sketches"], programs = json["programs"];
  for (const simdjson::dom::element sketch : sketches) out.sketches.push_back(program(sketch));
  for (const simdjson::dom::element made : programs) out.programs.push_back(program(made));
  return out;
}

}  // namespace oracle_detail

// Calls `visit` on every entry of the oracle file.
template <class Visit>
void for_each_oracle_entry(const Visit& visit) {
  simdjson::dom::parser parser;
  const simdjson::padded_string text(read_maybe_gzip(oracle_file()));
  simdjson::dom::document_stream lines = parser.parse_many(text, std::size_t{1} << 24);
  for (const simdjson::dom::element line : lines) visit(oracle_detail::entry(line));
}

}  // namespace hone
