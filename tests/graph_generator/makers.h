// What adds a random node (or a usual chain of a few) of some kind; nothing when no value fits.
#pragma once
#include "tests/graph_generator/growing_graph.h"

namespace hone::test {

void add_unary(GrowingGraph& graph);
void add_binary(GrowingGraph& graph);
void add_affine(GrowingGraph& graph);  // channels scaled and shifted, as a normalisation does
void add_choice(GrowingGraph& graph);
void add_cast(GrowingGraph& graph);
void add_integers(GrowingGraph& graph);
void add_reduce(GrowingGraph& graph);
void add_arg_reduce(GrowingGraph& graph);
void add_cumsum(GrowingGraph& graph);
void add_top_k(GrowingGraph& graph);
void add_softmax(GrowingGraph& graph);
void add_matmul(GrowingGraph& graph);
void add_einsum(GrowingGraph& graph);
void add_loop(GrowingGraph& graph);

void add_conv(GrowingGraph& graph);
void add_conv_transpose(GrowingGraph& graph);
void add_pool(GrowingGraph& graph);

void add_transpose(GrowingGraph& graph);
void add_reshape(GrowingGraph& graph);
void add_expand(GrowingGraph& graph);
void add_slice(GrowingGraph& graph);
void add_pad(GrowingGraph& graph);
void add_concat(GrowingGraph& graph);
void add_gather(GrowingGraph& graph);
void add_gather_elements(GrowingGraph& graph);
void add_gather_nd(GrowingGraph& graph);
void add_resize(GrowingGraph& graph);

}  // namespace hone::test
