// A network as an artefact, for one machine and on request for others.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "artefact/artefact.h"
#include "graph/graph.h"
#include "schedule/step.h"
#include "task/task.h"

namespace hone::artefact {

struct TunedSchedule {
  schedule::Steps steps;
  bool pack_constants = true;  // constant operands arrive in the layout the schedule reads them in
  std::string record;          // the line that it comes from
};

struct FromGraphOptions {
  target::Target target;
  int threads = 1;
  // Machines that it shall run on, too, the most demanding first: a variant each, never tuned.
  std::vector<target::Target> others = {};
  bool keep_loops = false;  // of the first variant's kernels, to print them as C
  // The schedule of a task, if it was tuned; else it gets the analytic one. Asked once a kernel, in the
  // order of the program: a task whose tensors lie in several ways is several kernels.
  std::function<std::optional<TunedSchedule>(const task::Task& task)> tuned = {};
};

// Of a graph after its passes: cut into tasks, which are compiled on all cores.
Artefact from_graph(const graph::Graph& graph, const FromGraphOptions& options);

}  // namespace hone::artefact
