#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/explain_nest.h"
#include "cli/explain_report.h"

namespace hone::cli {
namespace {

using Json = nlohmann::ordered_json;

Json predicted(const ExplainReport& report) {
  const tune::Explanation& found = report.explanation;
  const bool is_relative = is_relative_speed(report.model);
  return {{"score", found.said.score},
          {"spread", found.said.spread},
          {"valid", found.said.valid},
          {"log_latency", is_relative ? Json(-std::log(found.said.score)) : Json()},
          {"rank", found.rank},
          {"random_programs", found.samples}};
}

Json measured(const RecordedProgram& program) {
  const bool is_valid = record::is_valid(program.record);
  const double best_s = record::best_cost(program.record);
  return {{"status", program.record.error},
          {"best_s", is_valid ? Json(best_s) : Json()},
          {"to_best", is_valid ? Json(best_s / program.best_beside_s) : Json()},
          {"records", program.n_beside}};
}

Json steps(const ExplainReport& report) {
  Json list = Json::array();
  for (const tune::ExplainedStep& step : report.explanation.steps) {
    Json others = Json::array();
    for (const tune::Otherwise& other : step.others)
      others.push_back({{"value", other.value},
                        {"undone", other.is_undone},
                        {"gain", other.gain},
                        {"rank", other.rank}});
    list.push_back(
        {{"what", step.text.subject}, {"value", step.text.value}, {"others", std::move(others)}});
  }
  return list;
}

Json loops(const tune::Explanation& explanation) {
  Json list = Json::array();
  for (const ExplainedLine& line : explained_nest(explanation)) {
    Json aspects = Json::array();
    for (const tune::ExplainedAspect& aspect : line.aspects)
      aspects.push_back({{"aspect", feature::to_string(aspect.aspect)},
                         {"gain", aspect.gain},
                         {"share", aspect.share}});
    list.push_back({{"line", line.text}, {"aspects", std::move(aspects)}});
  }
  return list;
}

Json learned(const Learned& found) {
  Json programs = Json::array(), tasks = Json::array();
  for (const LearnedProgram& one : found.programs)
    programs.push_back(
        {{"program", one.number},
         {"distance", one.distance},
         {"time_to_best", std::isnan(one.time_to_best) ? Json() : Json(one.time_to_best)},
         {"itself", one.is_itself},
         {"workload_key", one.task},
         {"networks", one.networks}});
  for (const LearnedTask& one : found.tasks)
    tasks.push_back({{"workload_key", one.key}, {"distance", one.distance}});
  return {{"by", found.is_by_hidden ? "hidden" : "summary"},
          {"compared", found.compared},
          {"median_distance", found.median_distance},
          {"programs", std::move(programs)},
          {"tasks", std::move(tasks)},
          {"notes", found.notes}};
}

}  // namespace

std::string explain_json(const ExplainReport& report) {
  const Json object = {{"schema", "hone.explain/1"},
                       {"record", report.program.origin},
                       {"workload_key", report.program.record.workload_key},
                       {"scorer",
                        {{"file", report.scorer},
                         {"kind", report.model.header.kind},
                         {"tells_speed", tune::tells_speed(report.model)}}},
                       {"predicted", predicted(report)},
                       {"measured", measured(report.program)},
                       {"steps", steps(report)},
                       {"loops", loops(report.explanation)},
                       {"learned", learned(report.learned)}};
  return object.dump();
}

}  // namespace hone::cli
