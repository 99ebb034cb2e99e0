// A network of three convolutions, two of which are the same computation.
#pragma once
#include "graph/builder.h"
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

}  // namespace hone::tune
