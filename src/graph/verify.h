// Whether a graph is well-formed.
#pragma once
#include "graph/graph.h"

namespace hone::graph {

// Throws InternalError when a rule of graph.h is broken: every value has one origin and a name of its
// own, producers stand before consumers, and stored types are those that `infer` gives. Bodies of loops
// are looked at too.
void verify(const Graph& graph);

}  // namespace hone::graph
