// Attention: a product of soft-maxed scores, which are a product themselves.
#pragma once
#include <vector>

#include "graph/graph.h"

namespace hone::graph {

// For the product numbered `product`: the product that gives the scores, the functions of their rows,
// and itself, ascending. Nobody else reads what is in between. Empty when it is no attention.
std::vector<int> attention_of(const Graph& graph, int product);

}  // namespace hone::graph
