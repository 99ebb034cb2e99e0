#include "graph/blocks.h"

#include "base/error.h"
#include "graph/infer.h"
#include "tests/unit/graph/pass_checks.h"

namespace hone::graph {
namespace {

Window window(Layout layout) { return {{3, 5}, {2, 1}, {1, 1}, {1, 2}, {1, 2}, layout}; }

TEST(Blocks, ChannelsThatDoNotFillThemAreOne) {
  EXPECT_EQ(block_of(64, 16), 16);
  EXPECT_EQ(block_of(16, 16), 16);
  EXPECT_EQ(block_of(24, 16), 24);
  EXPECT_EQ(block_of(3, 16), 3);
}

TEST(Blocks, ImagesComeFromAnyOrder) {
  const ToBlocks last = image_to_blocks({1, 5, 7, 6}, {0, 1, 2, 3}, 2);
  EXPECT_EQ(last.split, (Shape{1, 5, 7, 3, 2}));
  EXPECT_EQ(last.order, (Order{0, 3, 1, 2, 4}));
  const ToBlocks first = image_to_blocks({1, 6, 5, 7}, {0, 3, 1, 2}, 2);
  EXPECT_EQ(first.split, (Shape{1, 3, 2, 5, 7}));
  EXPECT_EQ(first.order, (Order{0, 1, 3, 4, 2}));
  const FromBlocks back = image_from_blocks({1, 3, 5, 7, 2}, {0, 3, 1, 2});
  EXPECT_EQ(back.order, (Order{0, 1, 4, 2, 3}));
  EXPECT_EQ(back.joined, (Shape{1, 6, 5, 7}));
}

TEST(Blocks, WeightsThereAndBack) {
  const ToBlocks to = weights_to_blocks({3, 5, 8, 6}, 4, 2);
  EXPECT_EQ(to.split, (Shape{3, 5, 2, 4, 3, 2}));
  const Shape blocks = permuted(to.split, to.order);
  EXPECT_EQ(blocks, (Shape{3, 2, 3, 5, 4, 2}));
  const FromBlocks from = weights_from_blocks(blocks);
  EXPECT_TRUE(is_identity(permuted(to.order, from.order)));
  EXPECT_EQ(from.joined, (Shape{3, 5, 8, 6}));
}

TEST(Blocks, ShapesOfOperators) {
  const auto shape_of = [](const Operator& op, const std::vector<ValueType>& inputs) {
    return infer(op, inputs).front().shape;
  };
  const Conv conv{window(Layout::Blocked)};
  EXPECT_EQ(shape_of(conv, {f32_type({1, 2, 9, 11, 4}), f32_type({3, 2, 3, 5, 4, 2})}),
            (Shape{1, 3, 5, 11, 2}));
  EXPECT_EQ(shape_of(Pool{Reduction::Max, window(Layout::Blocked)}, {f32_type({1, 2, 9, 11, 4})}),
            (Shape{1, 2, 5, 11, 4}));
  EXPECT_THROW(shape_of(conv, {f32_type({1, 2, 9, 11, 4}), f32_type({3, 2, 3, 5, 3, 2})}), UserError);
  EXPECT_THROW(shape_of(conv, {f32_type({2, 9, 11}), f32_type({3, 2, 3, 5, 4, 2})}), UserError);
  EXPECT_THROW(shape_of(conv, {f32_type({1, 2, 9, 11, 4})}), UserError);
  EXPECT_EQ(print(Operator(conv)), "conv window 3x5 stride 2x1 pad 1x2 blocked");
}

}  // namespace
}  // namespace hone::graph
