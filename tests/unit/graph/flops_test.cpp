#include "graph/flops.h"

#include <gtest/gtest.h>

#include "graph/builder.h"

namespace hone::graph {
namespace {

TEST(Flops, OfAConvolutionCountInAnyLayout) {
  const auto flop_in = [](Layout layout, Shape x, Shape w) {
    Builder builder;
    const ValueId data = builder.input("x", {ir::Scalar::F32, std::move(x)});
    const ValueId weights = builder.input("w", {ir::Scalar::F32, std::move(w)});
    Conv conv;
    conv.window = {.kernel = {3, 3},
                   .strides = {1, 1},
                   .dilations = {1, 1},
                   .before = {1, 1},
                   .after = {1, 1},
                   .layout = layout};
    return flop_count(builder.finish({builder.apply("y", conv, {data, weights})}));
  };
  const double expected = 2.0 * 8 * 5 * 5 * 4 * 9;
  EXPECT_EQ(flop_in(Layout::ChannelsFirst, {1, 4, 5, 5}, {8, 4, 3, 3}), expected);
  EXPECT_EQ(flop_in(Layout::ChannelsLast, {1, 5, 5, 4}, {3, 3, 4, 8}), expected);
  EXPECT_EQ(flop_in(Layout::Blocked, {1, 2, 5, 5, 2}, {4, 2, 3, 3, 2, 2}), expected);
}

TEST(Flops, OfProducts) {
  Builder builder;
  const ValueId a = builder.input("a", {ir::Scalar::F32, {2, 3, 4}});
  const ValueId b = builder.input("b", {ir::Scalar::F32, {4, 5}});
  EXPECT_EQ(flop_count(builder.finish({builder.apply("y", MatMul{}, {a, b})})), 2.0 * 2 * 3 * 4 * 5);
}

}  // namespace
}  // namespace hone::graph
