#include <limits>

#include "tests/unit/graph/pass_checks.h"

namespace hone::graph {
namespace {

using enum ir::BinaryOp;

// As BatchNormalization comes out of import: ((x - mean) / sqrt(variance + epsilon)) * scale + shift.
ValueId normalise(Builder& b, ValueId x, Shape shape) {
  const ValueId mean = weights(b, shape, 11), scale = weights(b, shape, 12);
  const ValueId shift = weights(b, shape, 13);
  const ValueId spread = b.map("spread", {weights(b, shape, 14)}, [](const auto& v) {
    return ir::call(ir::Function::Sqrt, {v[0] * v[0] + ir::float_imm(1e-5)});
  });
  return b.map("normalise", {x, mean, spread, scale, shift},
               [](const auto& v) { return (v[0] - v[1]) / v[2] * v[3] + v[4]; });
}

ValueId relu(Builder& b, ValueId x) {
  return b.map("relu", {x}, [](const auto& v) { return ir::max(v[0], ir::float_imm(0)); });
}

TEST(FoldNormalisation, BehindConvolutionWithBias) {
  Builder b;
  const ValueId x = b.input("x", f32_type({1, 4, 5, 5}));
  ValueId y = b.apply("conv", Conv{square(2, 3, 1, 1), 2}, {x, weights(b, {6, 2, 3, 3})});
  y = b.binary("bias", Add, y, weights(b, {6, 1, 1}));
  y = relu(b, normalise(b, y, {6, 1, 1}));
  const Graph result = after(fold_normalisation, b.finish({y}));
  EXPECT_EQ(operators(result),
            (Lines{"conv window 3x3 pad 1 groups 2", "map (x0 + x1)", "map max(x0, 0f)"}));
}

TEST(FoldNormalisation, BehindTransposedConvolutionWithGroups) {
  Builder b;
  const ValueId x = b.input("x", f32_type({1, 4, 5, 5}));
  ValueId y = b.apply("conv", ConvTranspose{square(2, 4, 2, 1), 2}, {x, weights(b, {4, 3, 4, 4})});
  y = normalise(b, y, {1, 6, 1, 1});
  EXPECT_EQ(operators(after(fold_normalisation, b.finish({y}))),
            (Lines{"conv_transpose window 4x4 stride 2 pad 1 groups 2", "map (x0 + x1)"}));
}

TEST(FoldNormalisation, BehindMatMul) {
  Builder b;
  const ValueId x = b.input("x", f32_type({2, 5, 4}));
  ValueId y = b.apply("matmul", MatMul{}, {x, weights(b, {4, 6})});
  y = b.binary("scale", Mul, normalise(b, y, {6}), b.scalar(0.125, ir::Scalar::F32));
  EXPECT_EQ(operators(after(fold_normalisation, b.finish({y}))), (Lines{"matmul", "map (x0 + x1)"}));
}

TEST(FoldNormalisation, ScalesThatAreNoChannelsStay) {
  Builder b;
  const ValueId x = b.input("x", f32_type({1, 4, 5, 5}));
  const ValueId y = b.apply("conv", Conv{square(2, 1)}, {x, weights(b, {4, 4, 1, 1})});
  const Graph graph = b.finish({b.binary("scale", Mul, y, weights(b, {5}))});
  EXPECT_EQ(operators(after(fold_normalisation, graph)), operators(graph));
}

TEST(FoldNormalisation, NotWhenTheConvolutionIsReadElsewhere) {
  Builder b;
  const ValueId x = b.input("x", f32_type({1, 4, 5, 5}));
  const ValueId y = b.apply("conv", Conv{square(2, 1)}, {x, weights(b, {4, 4, 1, 1})});
  const Graph graph = b.finish({y, normalise(b, y, {4, 1, 1})});
  EXPECT_EQ(operators(after(fold_normalisation, graph)), operators(graph));
}

TEST(FoldNormalisation, InFrontOfAConvolutionWithoutPadding) {
  Builder b;
  const ValueId x = b.input("x", f32_type({1, 4, 5, 5}));
  const ValueId y = normalise(b, x, {4, 1, 1});
  const ValueId conv = b.apply("conv", Conv{square(2, 3), 2}, {y, weights(b, {6, 2, 3, 3})});
  EXPECT_EQ(operators(after(fold_normalisation, b.finish({conv}))),
            (Lines{"conv window 3x3 groups 2", "map (x0 + x1)"}));
}

TEST(FoldNormalisation, InFrontOfPaddingOnlyScales) {
  Builder b;
  const ValueId x = b.input("x", f32_type({1, 4, 5, 5}));
  const ValueId shifted = b.binary("shift", Add, x, weights(b, {4, 1, 1}));
  const ValueId scaled = b.binary("scale", Mul, shifted, weights(b, {4, 1, 1}, 2));
  const ValueId conv = b.apply("conv", Conv{square(2, 3, 1, 1)}, {scaled, weights(b, {6, 4, 3, 3})});
  EXPECT_EQ(operators(after(fold_normalisation, b.finish({conv}))),
            (Lines{"map (x0 + x1)", "conv window 3x3 pad 1"}));
}

TEST(AbsorbPadding, IntoWindows) {
  Builder b;
  const ValueId x = b.input("x", f32_type({1, 4, 5, 6}));
  const auto pad = [&](ValueId id, double value) {
    return b.apply("pad", Pad{PadMode::Constant, {0, 0, 1, 0}, {0, 0, 2, 1}, ir::float_imm(value)},
                   {id});
  };
  const ValueId conv = b.apply("conv", Conv{square(2, 3, 1, 1)}, {pad(x, 0), weights(b, {2, 4, 3, 3})});
  const ValueId sum = b.apply("sum", Pool{Reduction::Sum, square(2, 2)}, {pad(x, 0)});
  const ValueId max = b.apply("max", Pool{Reduction::Max, square(2, 2)},
                              {pad(x, -std::numeric_limits<double>::infinity())});
  EXPECT_EQ(operators(after(absorb_padding, b.finish({conv, sum, max}))),
            (Lines{"conv window 3x3 pad 2x1:3x2", "pool sum window 2x2 pad 1x0:2x1",
                   "pool max window 2x2 pad 1x0:2x1"}));
}

TEST(AbsorbPadding, OtherValuesAndChannelsStay) {
  Builder b;
  const ValueId x = b.input("x", f32_type({1, 4, 5, 6}));
  const ValueId zeros =
      b.apply("zeros", Pad{PadMode::Constant, {0, 0, 1, 1}, {0, 0, 1, 1}, ir::float_imm(0)}, {x});
  const ValueId max = b.apply("max", Pool{Reduction::Max, square(2, 2)}, {zeros});
  const ValueId channels =
      b.apply("channels", Pad{PadMode::Constant, {0, 1, 0, 0}, {0, 0, 0, 0}, ir::float_imm(0)}, {x});
  const ValueId sum = b.apply("sum", Pool{Reduction::Sum, square(2, 2)}, {channels});
  const Graph graph = b.finish({max, sum});
  EXPECT_EQ(operators(after(absorb_padding, graph)), operators(graph));
}

}  // namespace
}  // namespace hone::graph
