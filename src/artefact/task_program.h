// A graph as a program whose kernels are still tasks.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "artefact/program.h"
#include "artefact/views.h"
#include "graph/graph.h"
#include "task/task.h"

namespace hone::artefact {

// What two tasks must share to be one kernel: the computation, and which operands come packed.
std::string identity_of(const task::Task& task);

// A task where it runs: its tensors may be parts of larger ones.
struct PlacedTask {
  std::shared_ptr<const task::Task> task;
  // Of its parameters, inputs before outputs; those that lie densely have none, and nor has anyone when
  // all do.
  std::vector<Strides> strides = {};
};

struct TaskProgram {
  Program program;                // kernel i of its calls computes tasks[i]
  std::vector<PlacedTask> tasks;  // each one once
};

// The groups of the graph one after the other, reshapes as other names of the same memory, loops as the
// steps of their bodies. Concatenations and slices leave no trace where views do (place_views.h). A
// copy is made of what else is concatenated, of what a loop carries on, and of results that are inputs,
// constants or wanted twice. UserError for a loop in a loop.
TaskProgram task_program(const graph::Graph& graph);

}  // namespace hone::artefact
