// What TVM's auto_scheduler made of small computations: tasks, sketches and programs to compare with.
#pragma once
#include <simdjson.h>

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
  std::string state, nest;  // no nest for a sketch
};
struct OracleEntry {
  std::string name, target, initial;
  std::shared_ptr<const task::Task> task;
  std::vector<OracleProgram> sketches, programs;
};

namespace oracle_detail {

inline std::string text(simdjson::dom::element from, std::string_view key) {
  return std::string(from[key].get_string().value());
}

inline OracleProgram program(simdjson::dom::element json) {
  OracleProgram out;
  out.steps = schedule::steps_from_json(simdjson::minify(json["steps"].value()));
  out.state = text(json, "state");
  if (json["nest"].error() == simdjson::SUCCESS) out.nest = text(json, "nest");
  return out;
}

inline task::ParseContext context(simdjson::dom::element stages) {
  task::ParseContext context;
  for (const simdjson::dom::element stage : stages.get_array().value()) {
    task::OpFacts facts;
    facts.name = text(stage, "name");
    for (const auto extent : stage["shape"].get_array().value()) facts.shape.push_back(extent.get_int64());
    for (const auto axis : stage["reduce"].get_array().value()) {
      facts.reduce.emplace_back(std::string(axis.at(0).get_string().value()), axis.at(1).get_int64());
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
  out.task = std::make_shared<const task::Task>(
      task::parse(text(json, "dag"), context(json["stages"].value())));
  for (const auto sketch : json["sketches"].get_array().value()) out.sketches.push_back(program(sketch));
  for (const auto made : json["programs"].get_array().value()) out.programs.push_back(program(made));
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
