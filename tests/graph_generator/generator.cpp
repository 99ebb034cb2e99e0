#include "tests/graph_generator/graph_generator.h"
#include "tests/graph_generator/makers.h"
#include "tests/tensors.h"

namespace hone::test {

graph::Graph random_graph(std::uint64_t seed) {
  GrowingGraph graph(seed);
  const std::vector<Shape> shapes = {{1, 6, 7, 5},    {2, 4, 9}, {3, 5},
                                     {1, 2, 4, 5, 3}, {11},      {2, 1, 8, 6}};
  for (std::int64_t count = graph.between(1, 3); count > 0; --count)
    graph.input(ir::Scalar::F32, graph.one_of(shapes));
  if (graph.chance(2)) {
    using enum ir::Scalar;
    graph.input(graph.one_of(std::vector{I32, I64, U8, Bool}), graph.one_of(shapes));
  }
  using Maker = void (*)(GrowingGraph&);
  const std::vector<Maker> makers = {
      add_unary,     add_unary,      add_binary, add_binary,
      add_affine,    add_choice,     add_cast,   add_integers,
      add_reduce,    add_arg_reduce, add_cumsum, add_top_k,
      add_softmax,   add_matmul,     add_einsum, add_loop,
      add_conv,      add_conv,       add_pool,   add_conv_transpose,
      add_transpose, add_reshape,    add_expand, add_slice,
      add_pad,       add_concat,     add_gather, add_gather_elements,
      add_gather_nd, add_resize,
  };
  const std::int64_t wanted = graph.between(3, 30);
  constexpr int kMostTries = 1000;  // some values leave little to do, such as a scalar
  for (int i = 0; i < kMostTries && graph.nodes() < wanted; ++i) graph.one_of(makers)(graph);
  return graph.finish();
}

std::vector<graph::Tensor> random_inputs(const graph::Graph& graph, std::uint64_t seed) {
  std::vector<graph::Tensor> inputs;
  for (const graph::ValueId id : graph.inputs) {
    const graph::ValueType& type = graph.values[static_cast<std::size_t>(id)].type;
    inputs.push_back(random_tensor(type.type, type.shape, seed, inputs.size()));
  }
  return inputs;
}

}  // namespace hone::test
