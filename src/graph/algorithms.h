// The ways in which a convolution can be worked out.
#pragma once
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace hone::graph {

// Those a node of the graph has, Direct first. Each becomes a task of its own, and time decides.
// MatMul: kernels of one element that move by one, where the spatial dimensions are rows of a matrix.
// Winograd2, Winograd4: tiles of 2 x 2 or 4 x 4 outputs of constant 3 x 3 kernels that move by one in
// the last two spatial dimensions; those in front of them (a third one, of videos) may be any.
// SubPixel: a transposed convolution as one small convolution for each output element of a stride; an
// output at stride * i + p reads the inputs i + (p + before) / stride - tap, with the kernel's elements
// (p + before) % stride + stride * tap (quotients rounded down), so that no product with an inserted
// zero is left.
std::vector<Algorithm> algorithms(const Graph& graph, const Node& node);

std::string_view name_of(Algorithm algorithm);  // "direct", "winograd4", ...

}  // namespace hone::graph
