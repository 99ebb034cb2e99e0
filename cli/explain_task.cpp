#include "cli/explain_task.h"

#include <fmt/format.h>

#include "base/error.h"
#include "cli/model_input.h"
#include "graph/passes.h"
#include "record/dataset.h"
#include "record/import_facts.h"
#include "target/detect.h"
#include "task/catalogue.h"
#include "task/key.h"
#include "task/readable_key.h"
#include "task/text.h"
#include "tune/network_plan.h"

namespace hone::cli {
namespace {

using TaskPtr = std::shared_ptr<const task::Task>;

TaskPtr shared(task::Task task) { return std::make_shared<const task::Task>(std::move(task)); }

TaskPtr of_op(const std::string& op, const std::string& key) {
  TaskPtr task = shared(task::from_op(op));
  if (task::tvm_key(*task) != key)
    throw UserError(fmt::format("the record is of another task than {}: {}", op, key),
                    fmt::format("the key of {} is {}", op, task::tvm_key(*task)));
  return task;
}

TaskPtr of_model(const Explain& options, const std::string& key) {
  graph::Graph graph =
      graph::run_passes(graph::from_model(load_model(options.model), import_options(options.input)));
  const tune::Plan plan = tune::plan_networks({std::move(graph)}, {});
  for (const TaskPtr& task : plan.tasks)
    if (task::tvm_key(*task) == key) return task;
  throw UserError(
      fmt::format("{} has no task {}", options.model, key),
      fmt::format("`hone inspect {} --tasks --json` lists the keys of its tasks", options.model));
}

TaskPtr of_dags(const std::string& path, const std::string& key) {
  std::vector<record::DatasetTask> tasks(1);
  tasks[0].identity.key = key;
  record::add_dags(record::read_dags(path), path, tasks,
                   [](const std::string& source, const std::string& reason) {
                     throw UserError(fmt::format("{}: {}", source, reason));
                   });
  if (tasks[0].facts.dag.empty())
    throw UserError(fmt::format("{} has no computation of {}", path, key),
                    "it takes a line {\"workload_key\": KEY, \"dag\": TEXT}");
  return shared(task::parse(tasks[0].facts.dag, {key, {}}));
}

TaskPtr of_set(const std::string& path, const std::string& key) {
  const record::Dataset set = record::Dataset::open(path);
  for (std::size_t i = 0; i < set.n_tasks(); ++i)
    if (set.key[i] == key)
      if (TaskPtr task = set.computation(i)) return task;
  return nullptr;
}

}  // namespace

TaskPtr task_of_key(const std::string& key, const Explain& options, const std::string& told) {
  if (!options.op.empty()) return of_op(options.op, key);
  if (!options.model.empty()) return of_model(options, key);
  if (!options.dags.empty()) return of_dags(options.dags, key);
  if (!options.set.empty())
    if (TaskPtr task = of_set(options.set, key)) return task;
  if (std::optional<task::Task> task = task::from_readable_key(key)) return shared(std::move(*task));
  return told.empty() ? nullptr : shared(task::parse(told, {key, {}}));
}

}  // namespace hone::cli
