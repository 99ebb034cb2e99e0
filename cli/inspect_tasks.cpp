#include "cli/inspect_tasks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "cli/exit_code.h"
#include "graph/algorithms.h"
#include "graph/passes.h"
#include "task/key.h"

namespace hone::cli {
namespace {

using Json = nlohmann::ordered_json;

void print_json(const tune::Plan& plan) {
  Json tasks = Json::array();
  const std::vector<double> uses = tune::possible_uses(plan, 0);
  for (std::size_t i = 0; i < plan.choices.size(); ++i) {
    const tune::Choice& choice = plan.choices[i];
    Json alternatives = Json::array();
    for (const tune::Alternative& one : choice.alternatives) {
      const task::Task& task = *plan.tasks[static_cast<std::size_t>(one.task)];
      alternatives.push_back(
          {{"algorithm", graph::name_of(one.algorithm)}, {"workload_key", task::tvm_key(task)}});
    }
    tasks.push_back({{"name", choice.name},
                     {"uses", uses[i]},
                     {"form", graph::name_of(choice.form)},
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
    double uses = 0;
    for (std::size_t n = 0; n < plan.networks.size(); ++n) uses += tune::possible_uses(plan, n)[i];
    const bool is_plain = choice.form == graph::Form::Plain;
    fmt::print("{:4}  {:4} {:9.2f}  {:<50} {}{}\n", i, uses, choice.flop * 1e-6, choice.name,
               is_plain ? "" : fmt::format("{}: ", graph::name_of(choice.form)),
               fmt::join(algorithms, ", "));
  }
}

int inspect_tasks(graph::Graph graph, bool json) {
  const target::Target target = target::host();
  const tune::Plan plan =
      tune::plan_networks({graph::run_passes(std::move(graph))},
                          {.estimate = tune::estimate_for(target), .lanes = target.lanes(32)});
  json ? print_json(plan) : print_tasks(plan);
  return kDone;
}

}  // namespace hone::cli
