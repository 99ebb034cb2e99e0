// Random graphs for tests of whatever takes a graph and must not change what it computes.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace hone::test {

// A graph of 3 to 30 nodes; the seed alone decides it. All operators occur, on tensors of odd shapes
// and up to 4096 elements, mostly float32, with broadcasting, groups, dilation, negative padding and
// steps, reused values and several outputs. No value that is not constant is computed in vain.
//
// Results may be compared with a tolerance: numbers stay within a few powers of ten, and whatever
// jumps (comparisons, casts to integers, arg-max, top-k) is applied only to values that come out the
// same however sums are rounded: inputs, constants, copies of them and integers.
graph::Graph random_graph(std::uint64_t seed);

// Tensors for its inputs.
std::vector<graph::Tensor> random_inputs(const graph::Graph& graph, std::uint64_t seed);

}  // namespace hone::test
