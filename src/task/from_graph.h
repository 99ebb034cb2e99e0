// Nodes of a graph as a task.
#pragma once
#include <map>
#include <vector>

#include "graph/graph.h"
#include "graph/groups.h"
#include "task/task.h"

namespace hone::task {

struct GraphTask {
  Task task;
  // The values behind the task's placeholders and outputs, in its order. A tensor may have other
  // dimensions than its value: neighbouring ones that are walked together are one, those of extent 1
  // may be missing. In memory both are the same.
  std::vector<graph::ValueId> inputs, outputs;
  // Of constants that the task reads in another form: a graph of one input that makes it.
  std::map<graph::ValueId, graph::Graph> preparations;
};

// The constant behind an input as the task reads it.
graph::Tensor prepared_constant(const graph::Graph& graph, const GraphTask& made, std::size_t input);

// Only the last node's result may be used outside of the group. Names in the task do not depend on
// those of the graph: equal groups make equal tasks. Constants that are multiplied by are layout-free
// placeholders, single numbers literals, all other constants plain placeholders. A convolution is
// worked out by its algorithm.
GraphTask from_graph(const graph::Graph& graph, const graph::Group& group);

}  // namespace hone::task
