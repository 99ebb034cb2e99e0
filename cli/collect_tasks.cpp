#include "cli/collect_tasks.h"

#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "cli/model_input.h"
#include "cli/option_parts.h"
#include "graph/passes.h"
#include "measure/measured_descriptor.h"
#include "record/dataset.h"
#include "target/detect.h"
#include "task/catalogue.h"
#include "tune/network_plan.h"

namespace hone::cli {
namespace {

using TaskPtr = std::shared_ptr<const task::Task>;

// Every way to work out a convolution is a task, and counts as often as the convolution.
void add_networks(std::vector<tune::CollectTask>& tasks, const Collect& options) {
  std::vector<graph::Graph> graphs;
  for (const std::string& file : options.models) {
    graphs.push_back(
        graph::run_passes(graph::from_model(load_model(file), import_options(options.input))));
  }
  target::Target target = target::host();
  target.cores = options.run.threads;
  const tune::Plan plan = tune::plan_networks(
      std::move(graphs), {.estimate = tune::estimate_for(target), .lanes = target.lanes(32)});
  std::vector<std::map<std::string, double>> uses(plan.tasks.size());
  for (std::size_t network = 0; network < plan.networks.size(); ++network) {
    const std::vector<double> of_choices = tune::possible_uses(plan, network);
    for (std::size_t c = 0; c < of_choices.size(); ++c) {
      if (of_choices[c] == 0) continue;
      for (const tune::Alternative& alternative : plan.choices[c].alternatives)
        uses[static_cast<std::size_t>(alternative.task)][stem_of(options.models[network])] +=
            of_choices[c];
    }
  }
  for (std::size_t i = 0; i < plan.tasks.size(); ++i) {
    std::string networks;
    for (const auto& [name, weight] : uses[i])
      networks += fmt::format("{}{}:{}", networks.empty() ? "" : ";", name, weight);
    tasks.push_back({plan.tasks[i], std::move(networks), {}});
  }
}

// Throws UserError for a task of which nobody knows what it computes.
TaskPtr task_of(const record::Dataset& set, std::size_t number) {
  TaskPtr task = set.computation(number);
  if (task == nullptr)
    throw UserError(
        fmt::format("the set does not say what task {} computes: {}", number, set.key[number]),
        "import it with the DAGs of its tasks");
  return task;
}

void add_programs(std::vector<tune::CollectTask>& tasks, const std::string& path) {
  const record::Dataset set = record::Dataset::open(path);
  for (std::size_t i = 0; i < set.n_tasks(); ++i)
    tasks.push_back({task_of(set, i), std::string(set.networks[i]), {}});
  for (std::size_t program = 0; program < set.n_programs(); ++program)
    tasks[set.task[program]].programs.push_back(set.steps(program));
}

}  // namespace

std::vector<tune::CollectTask> collect_tasks(const Collect& options) {
  std::vector<tune::CollectTask> tasks;
  if (!options.programs.empty()) add_programs(tasks, options.programs);
  if (!options.models.empty()) add_networks(tasks, options);
  for (const std::string& op : options.ops)
    tasks.push_back({std::make_shared<const task::Task>(task::from_op(op)), "", {}});
  return tasks;
}

// A name alone stands for this machine as it is.
record::Machine this_machine(const Collect& options) {
  if (options.machine.find(':') != std::string::npos) return record::machine_from(options.machine);
  const target::Target target = target::host();
  return {options.machine.empty() ? target.cpu : options.machine,
          target::to_string(measure::measured_descriptor(target))};
}

}  // namespace hone::cli
