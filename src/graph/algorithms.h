// The ways in which a convolution or a product can be worked out.
#pragma once
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace hone::graph {

// Those a node of the graph has, Direct first. Each becomes a task of its own, and time decides.
// MatMul: kernels of one element that move by one, where the spatial dimensions are rows of a matrix,
// which they are not in blocks.
// Winograd2, Winograd4: tiles of 2 x 2 or 4 x 4 outputs of constant 3 x 3 kernels that move by one in
// the last two spatial dimensions; those in front of them (a third one, of videos) may be any.
// SubPixel: a transposed convolution with constant kernels as a plain one that moves by one, whose
// output channels are all outputs of a stride, moved to their places afterwards. An output at
// stride * i + p reads the inputs i + (p + before) / stride - tap, with the kernel's elements
// (p + before) % stride + stride * tap (quotients rounded down): what one p reads and another does not
// is multiplied by zeros there. Offered where no zeros are needed or the direct form leaves lanes of
// vectors unused.
// Strassen: a product with a constant matrix by seven products of quarters instead of eight; the sums
// of the matrix's quarters are made before anything runs, and take 7/4 of its memory. Offered where the
// sums of the other quarters stay in a cache and can cost less than a product.
std::vector<Algorithm> algorithms(const Graph& graph, const Node& node);

// Whether it adds up the products that the definition does, however ordered.
bool is_exact(Algorithm algorithm);

std::string_view name_of(Algorithm algorithm);  // "direct", "winograd4", ...

}  // namespace hone::graph
