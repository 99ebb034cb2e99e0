#include "graph/layout.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "graph/infer.h"
#include "graph/print.h"

namespace hone::graph {
namespace {

ValueType f32(Shape shape) { return {ir::Scalar::F32, std::move(shape)}; }

Window window(Layout layout) { return {{3, 5}, {2, 1}, {1, 1}, {1, 2}, {1, 2}, layout}; }

Shape shape_of(const Operator& op, const std::vector<ValueType>& inputs) {
  return infer(op, inputs).front().shape;
}

TEST(Layout, ShapesOfChannelsLast) {
  const Window last = window(Layout::ChannelsLast);
  EXPECT_EQ(shape_of(Conv{last, 2}, {f32({1, 9, 11, 8}), f32({3, 5, 4, 6})}), (Shape{1, 5, 11, 6}));
  EXPECT_EQ(shape_of(ConvTranspose{last, 2}, {f32({1, 9, 11, 8}), f32({3, 5, 8, 3})}),
            (Shape{1, 17, 11, 6}));
  EXPECT_EQ(shape_of(Pool{Reduction::Max, last}, {f32({1, 9, 11, 8})}), (Shape{1, 5, 11, 8}));
  EXPECT_THROW(shape_of(Conv{last}, {f32({1, 9, 11, 8}), f32({6, 8, 3, 5})}), UserError);
  EXPECT_THROW(shape_of(Conv{last}, {f32({9, 11, 8}), f32({3, 5, 8, 6})}), UserError);
}

TEST(Layout, ThereAndBack) {
  const Conv conv{window(Layout::ChannelsFirst)};
  EXPECT_FALSE(in_layout(conv, Layout::ChannelsFirst));
  EXPECT_FALSE(in_layout(MatMul{}, Layout::ChannelsLast));
  const auto last = in_layout(conv, Layout::ChannelsLast);
  ASSERT_TRUE(last);
  EXPECT_EQ(print(last->op), "conv window 3x5 stride 2x1 pad 1x2 channels_last");
  EXPECT_EQ(last->inputs, (std::vector<Order>{{0, 2, 3, 1}, {2, 3, 1, 0}}));
  EXPECT_EQ(last->output, (Order{0, 3, 1, 2}));
  const auto first = in_layout(last->op, Layout::ChannelsFirst);
  ASSERT_TRUE(first);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_TRUE(is_identity(permuted(last->inputs[i], first->inputs[i])));
  EXPECT_TRUE(is_identity(permuted(last->output, first->output)));
}

}  // namespace
}  // namespace hone::graph
