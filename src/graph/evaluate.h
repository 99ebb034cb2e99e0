// The plain definition of every operator: the reference that passes and kernels are checked against.
#pragma once
#include <span>
#include <vector>

#include "graph/graph.h"

namespace hone::graph {

// Sums of floats are taken in double precision and rounded once. Data that an operator cannot take (an
// index out of range, an integer divided by zero) is a UserError.
std::vector<Tensor> evaluate(const Operator& op, std::span<const Tensor> inputs);

// The outputs for the graph's inputs, both in their order.
std::vector<Tensor> evaluate(const Graph& graph, std::span<const Tensor> inputs);

}  // namespace hone::graph
