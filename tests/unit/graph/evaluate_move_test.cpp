#include <gtest/gtest.h>

#include "base/error.h"
#include "graph/evaluate.h"
#include "tests/tensors.h"
#include "tests/unit/graph/apply.h"

namespace hone::graph {
namespace {

using ir::Scalar;
using test::counting;
using test::f32;
using test::i64;
using test::numbers;

TEST(EvaluateMove, Transpose) {
  const Tensor x = counting(Scalar::I16, {2, 3, 2}), turned = apply(Transpose{{2, 0, 1}}, {x});
  EXPECT_EQ(turned.shape(), (Shape{2, 2, 3}));
  EXPECT_EQ(numbers(turned), (Numbers{0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11}));
}

TEST(EvaluateMove, ReshapeKeepsTheElements) {
  const Tensor x = counting(Scalar::F64, {2, 3});
  EXPECT_EQ(numbers(apply(Reshape{{3, 1, 2}}, {x})), numbers(x));
}

TEST(EvaluateMove, Expand) {
  EXPECT_EQ(numbers(apply(Expand{{2, 2, 3}}, {f32({2, 1}, {1, 2})})),
            (Numbers{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2}));
}

TEST(EvaluateMove, SliceForwardsAndBackwards) {
  const Tensor x = counting(Scalar::U8, {3, 4});
  EXPECT_EQ(numbers(apply(Slice{{1, 1}, {1, 2}, {2, 2}}, {x})), (Numbers{5, 7, 9, 11}));
  EXPECT_EQ(numbers(apply(Slice{{2, 3}, {-2, -1}, {2, 3}}, {x})), (Numbers{11, 10, 9, 3, 2, 1}));
  EXPECT_EQ(apply(Slice{{0, 0}, {1, 1}, {0, 4}}, {x}).shape(), (Shape{0, 4}));
}

TEST(EvaluateMove, PadInEveryMode) {
  const Tensor x = f32({3}, {1, 2, 3});
  const auto padded = [&](PadMode mode, std::int64_t before, std::int64_t after) {
    return numbers(apply(Pad{mode, {before}, {after}, ir::float_imm(9)}, {x}));
  };
  EXPECT_EQ(padded(PadMode::Constant, 2, 1), (Numbers{9, 9, 1, 2, 3, 9}));
  EXPECT_EQ(padded(PadMode::Edge, 2, 1), (Numbers{1, 1, 1, 2, 3, 3}));
  EXPECT_EQ(padded(PadMode::Reflect, 2, 2), (Numbers{3, 2, 1, 2, 3, 2, 1}));
  EXPECT_EQ(padded(PadMode::Wrap, 4, 2), (Numbers{3, 1, 2, 3, 1, 2, 3, 1, 2}));
  EXPECT_EQ(padded(PadMode::Constant, -1, 2), (Numbers{2, 3, 9, 9}));
  EXPECT_EQ(padded(PadMode::Reflect, 1, -1), (Numbers{2, 1, 2}));
  const Tensor square =
      apply(Pad{PadMode::Constant, {1, 0}, {0, 1}, ir::int_imm(7)}, {i64({1, 2}, {1, 2})});
  EXPECT_EQ(numbers(square), (Numbers{7, 7, 7, 1, 2, 7}));
}

TEST(EvaluateMove, Concat) {
  const Tensor a = i64({2, 1}, {1, 2}), b = i64({2, 2}, {3, 4, 5, 6});
  EXPECT_EQ(numbers(apply(Concat{1}, {a, b, a})), (Numbers{1, 3, 4, 1, 2, 5, 6, 2}));
  EXPECT_EQ(numbers(apply(Concat{0}, {b, b})), (Numbers{3, 4, 5, 6, 3, 4, 5, 6}));
  EXPECT_EQ(apply(Concat{0}, {i64({0, 0}, {}), i64({0, 0}, {})}).size(), 0);
}

TEST(EvaluateGather, AlongAnAxis) {
  const Tensor x = counting(Scalar::F32, {2, 3, 2});
  const Tensor picked = apply(Gather{1}, {x, i64({2, 2}, {0, -1, 1, 1})});
  EXPECT_EQ(picked.shape(), (Shape{2, 2, 2, 2}));
  EXPECT_EQ(numbers(picked), (Numbers{0, 1, 4, 5, 2, 3, 2, 3, 6, 7, 10, 11, 8, 9, 8, 9}));
  const Tensor one = apply(Gather{0}, {x, test::tensor(Scalar::I32, {}, {1})});
  EXPECT_EQ(numbers(one), (Numbers{6, 7, 8, 9, 10, 11}));
  EXPECT_THROW(apply(Gather{1}, {x, i64({1}, {3})}), UserError);
  EXPECT_THROW(apply(Gather{1}, {x, i64({1}, {-4})}), UserError);
}

TEST(EvaluateGather, Elements) {
  const Tensor x = f32({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_EQ(numbers(apply(GatherElements{0}, {x, i64({2, 3}, {1, 2, 0, 2, 0, 0})})),
            (Numbers{4, 8, 3, 7, 2, 3}));
  EXPECT_EQ(numbers(apply(GatherElements{1}, {x, i64({2, 2}, {-1, 0, 2, 1})})), (Numbers{3, 1, 6, 5}));
  EXPECT_THROW(apply(GatherElements{0}, {x, i64({1, 1}, {3})}), UserError);
}

TEST(EvaluateGather, Tuples) {
  const Tensor x = counting(Scalar::F32, {2, 2, 2});
  EXPECT_EQ(numbers(apply(GatherND{0}, {x, i64({2, 1, 2}, {0, 1, 1, 0})})), (Numbers{2, 3, 4, 5}));
  EXPECT_EQ(numbers(apply(GatherND{1}, {x, i64({2, 1}, {1, 0})})), (Numbers{2, 3, 4, 5}));
  EXPECT_EQ(numbers(apply(GatherND{0}, {x, i64({1, 3}, {1, 1, -1})})), Numbers{7});
  EXPECT_THROW(apply(GatherND{0}, {x, i64({1, 2}, {0, 2})}), UserError);
}

TEST(EvaluateResize, NearestRoundsAsAsked) {
  const Tensor x = f32({4}, {1, 2, 3, 4});
  const auto resized = [&](Rounding rounding, double scale, double offset, std::int64_t extent) {
    return numbers(apply(Resize{false, rounding, {scale}, {offset}, {extent}}, {x}));
  };
  EXPECT_EQ(resized(Rounding::Floor, 0.5, 0, 8), (Numbers{1, 1, 2, 2, 3, 3, 4, 4}));
  EXPECT_EQ(resized(Rounding::Ceil, 0.5, 0, 8), (Numbers{1, 2, 2, 3, 3, 4, 4, 4}));
  EXPECT_EQ(resized(Rounding::PreferFloor, 2, 0.5, 2), (Numbers{1, 3}));
  EXPECT_EQ(resized(Rounding::PreferCeil, 2, 0.5, 2), (Numbers{2, 4}));
  EXPECT_EQ(resized(Rounding::Floor, 1, -1e30, 2), (Numbers{1, 1}));
}

TEST(EvaluateResize, LinearInTwoDimensions) {
  // Twice as large with half-pixel centres: coordinate = (i + 0.5) / 2 - 0.5.
  const Resize op{true, Rounding::PreferFloor, {0.5, 0.5}, {-0.25, -0.25}, {4, 4}};
  EXPECT_EQ(numbers(apply(op, {f32({2, 2}, {1, 2, 3, 4})})),
            (Numbers{1, 1.25, 1.75, 2, 1.5, 1.75, 2.25, 2.5, 2.5, 2.75, 3.25, 3.5, 3, 3.25, 3.75, 4}));
}

}  // namespace
}  // namespace hone::graph
