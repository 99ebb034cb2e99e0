#include "cli/inspect_tasks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/exit_code.h"
#include "graph/algorithms.h"
#include "graph/passes.h"
#include "task/key.h"

namespace hone::cli {
namespace {

using Json = nlohmann::ordered_json;

void print_json(const tune::Plan& plan) {
  Json tasks = Json::array();
  for (const tune::Choice& choice : plan.choices) {
    Json alternatives = Json::array();
    for (const tune::Alternative& one : choice.alternatives) {
      const task::Task& task = *plan.tasks[static_cast<std::size_t>(one.task)];
      alternatives.push_back(
          {{"algorithm", graph::name_of(one.algorithm)}, {"workload_key", task::tvm_key(task)}});
    }
    tasks.push_back({{"name", choice.name},
                     {"uses", choice.uses[0]},
                     {"flop", choice.flop},
                     {"alternatives", std::move(alternatives)}});
  }
  fmt::print("{}\n", Json{{"schema", "hone.tasks/1"}, {"tasks", std::move(tasks)}}.dump());
}

}  // namespace

void print_tasks(const tune::Plan& plan) {
  fmt::print("{:>4}  {:>4} {:>9}  {:<50} {}\n", "task", "x", "MFLOP", "operators", "algorithms");
  for (std::size_t i = 0; i < plan.choices.size(); ++i) {
    const tune::Choice& choice = plan.choices[i];
    std::vector<std::string_view> algorithms;
    for (const tune::Alternative& one : choice.alternatives)
      algorithms.push_back(graph::name_of(one.algorithm));
    fmt::print("{:4}  {:4} {:9.2f}  {:<50} {}\n", i,
               std::reduce(choice.uses.begin(), choice.uses.end()), choice.flop * 1e-6, choice.name,
               fmt::join(algorithms, ", "));
  }
}

int inspect_tasks(graph::Graph graph, bool json) {
  const tune::Plan plan = tune::plan_networks({graph::run_passes(std::move(graph))}, {});
  json ? print_json(plan) : print_tasks(plan);
  return kDone;
}

}  // namespace hone::cli
