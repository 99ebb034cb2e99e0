// A graph as a program whose kernels are still tasks.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "artefact/program.h"
#include "graph/graph.h"
#include "task/task.h"

namespace hone::artefact {

// What two tasks must share to be one kernel: the computation, and which operands come packed.
std::string identity_of(const task::Task& task);

struct TaskProgram {
  Program program;                                       // kernel i of its calls computes tasks[i]
  std::vector<std::shared_ptr<const task::Task>> tasks;  // each one once
};

// The groups of the graph one after the other, reshapes as other names of the same memory, loops as the
// steps of their bodies. What is concatenated along the outermost axis is made in its place. A copy is
// made of what else is concatenated, of what a loop carries on, and of results that are inputs,
// constants or wanted twice. UserError for a loop in a loop.
TaskProgram task_program(const graph::Graph& graph);

}  // namespace hone::artefact
