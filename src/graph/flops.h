// The arithmetic a graph asks for.
#pragma once
#include "graph/graph.h"

namespace hone::graph {

// Multiplications and additions of convolutions and products, which take nearly all the time. Windows
// count in full at borders, and every algorithm for a node counts as its plain definition.
double flop_count(const Graph& graph);
double flop_count(const Graph& graph, const Node& node);

}  // namespace hone::graph
