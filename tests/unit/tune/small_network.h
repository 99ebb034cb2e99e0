// Networks of three convolutions, two of which are the same computation, and of attention.
#pragma once
#include "graph/builder.h"
#include "graph/passes.h"
#include "tests/tensors.h"

namespace hone::tune {

inline graph::Window square_window(std::int64_t side, std::int64_t pad) {
  using Numbers = std::vector<std::int64_t>;
  return {{side, side},      Numbers{1, 1},     Numbers{1, 1},
          Numbers{pad, pad}, Numbers{pad, pad}, graph::Layout::ChannelsLast};
}

inline graph::Graph small_network(const std::string& name = "small") {
  graph::Builder builder(name);
  graph::ValueId x = builder.input("x", {ir::Scalar::F32, {1, 8, 8, 16}});
  const auto conv = [&](const char* node, std::int64_t side, std::int64_t pad, std::uint64_t seed) {
    const graph::ValueId weights =
        builder.constant(test::random_tensor(ir::Scalar::F32, {side, side, 16, 16}, seed));
    x = builder.apply(node, graph::Conv{square_window(side, pad)}, {x, weights});
  };
  conv("first", 3, 1, 1);
  conv("second", 3, 1, 2);
  conv("third", 1, 0, 3);
  return builder.finish({x});
}

// Joined, without the largest score, which changes nothing here.
inline graph::Graph attention_network() {
  graph::Builder b("attention");
  const graph::ValueType matrix{ir::Scalar::F32, {2, 16, 16}};
  const graph::ValueId q = b.input("q", matrix), k = b.input("k", matrix), v = b.input("v", matrix);
  const graph::ValueId scores = b.apply("scores", graph::MatMul{}, {q, k});
  const graph::ValueId power = b.unary("power", ir::Function::Exp, scores);
  const graph::ValueId total = b.apply("total", graph::Reduce{graph::Reduction::Sum, {2}}, {power});
  const graph::ValueId share = b.binary("share", ir::BinaryOp::Div, power, total);
  return graph::run_passes(b.finish({b.apply("result", graph::MatMul{}, {share, v})}));
}

}  // namespace hone::tune
