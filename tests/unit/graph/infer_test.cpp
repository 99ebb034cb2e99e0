#include "graph/infer.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "base/error.h"
#include "graph/builder.h"
#include "graph/print.h"

namespace hone::graph {
namespace {

using ir::Scalar;
using Sizes = std::vector<std::int64_t>;

ValueType f32(Shape shape) { return {Scalar::F32, std::move(shape)}; }
ValueType i64(Shape shape) { return {Scalar::I64, std::move(shape)}; }
ValueType boolean(Shape shape) { return {Scalar::Bool, std::move(shape)}; }

std::string given(const Operator& op, const std::vector<ValueType>& inputs) {
  std::string text;
  for (const ValueType& type : infer(op, inputs)) text += (text.empty() ? "" : " ") + print(type);
  return text;
}

// Whether `infer` refuses the inputs with a message that has `part` in it.
testing::AssertionResult refuses(std::string_view part, const Operator& op,
                                 const std::vector<ValueType>& inputs) {
  try {
    infer(op, inputs);
  } catch (const UserError& error) {
    const std::string_view message = error.what();
    if (message.find(part) != std::string_view::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << '"' << message << '"';
  }
  return testing::AssertionFailure() << "it is taken";
}

Window window(Sizes kernel, std::int64_t stride = 1, std::int64_t padding = 0) {
  const std::size_t n = kernel.size();
  return {std::move(kernel), Sizes(n, stride), Sizes(n, 1), Sizes(n, padding), Sizes(n, padding)};
}

TEST(Infer, Maps) {
  const Map add = binary(ir::BinaryOp::Add, Scalar::F32);
  EXPECT_EQ(given(add, {f32({4, 1, 3}), f32({5, 1})}), "f32[4,5,3]");
  EXPECT_EQ(given(add, {f32({}), f32({})}), "f32[]");
  EXPECT_EQ(given(add, {f32({0, 3}), f32({1, 3})}), "f32[0,3]");
  EXPECT_EQ(given(binary(ir::BinaryOp::Lt, Scalar::F32), {f32({2}), f32({2})}), "bool[2]");
  EXPECT_TRUE(refuses("map: shapes [2] and [3] do not broadcast", add, {f32({2}), f32({3})}));
  EXPECT_TRUE(refuses("do not broadcast", add, {f32({0}), f32({2})}));
  EXPECT_TRUE(refuses("operand 1 is no variable of the type of i64[2]", add, {f32({2}), i64({2})}));
  EXPECT_TRUE(refuses("takes 2 inputs, not 1", add, {f32({2})}));
  EXPECT_TRUE(refuses("at least one input", Map{{}, ir::float_imm(1)}, {}));
  EXPECT_TRUE(refuses("no body", Map{add.operands, {}}, {f32({2}), f32({2})}));
  EXPECT_TRUE(refuses("which is no operand", Map{add.operands, ir::variable("z", ir::kF32)},
                      {f32({2}), f32({2})}));
  EXPECT_TRUE(
      refuses("scalars only", Map{add.operands, ir::broadcast(add.body, 4)}, {f32({2}), f32({2})}));
  EXPECT_TRUE(refuses("int64 has no exp", unary(ir::Function::Exp, Scalar::I64), {i64({2})}));
  EXPECT_TRUE(refuses("bool has no fabs", unary(ir::Function::Abs, Scalar::Bool), {boolean({2})}));
}

TEST(Infer, Reductions) {
  EXPECT_EQ(given(Reduce{Reduction::Sum, {0, 2}}, {f32({2, 3, 4})}), "f32[1,3,1]");
  EXPECT_EQ(given(Reduce{Reduction::Max, {0}}, {boolean({2})}), "bool[1]");
  EXPECT_EQ(given(Reduce{Reduction::Max, {0}}, {f32({0})}), "f32[1]");
  EXPECT_TRUE(refuses("reduce: axes do not ascend", Reduce{Reduction::Sum, {1, 1}}, {f32({2, 3})}));
  EXPECT_TRUE(refuses("axes do not ascend", Reduce{Reduction::Sum, {1, 0}}, {f32({2, 3})}));
  EXPECT_TRUE(refuses("axis 2 is not one of shape [2,3]", Reduce{Reduction::Sum, {2}}, {f32({2, 3})}));
  EXPECT_TRUE(refuses("takes numbers, not bool[2]", Reduce{Reduction::Sum, {0}}, {boolean({2})}));
  EXPECT_EQ(given(ArgReduce{true, 1}, {f32({2, 3})}), "i64[2,1]");
  EXPECT_TRUE(refuses("axis -1", ArgReduce{true, -1}, {f32({2, 3})}));
  EXPECT_TRUE(refuses("axis 0 of f32[0,3] is empty", ArgReduce{true, 0}, {f32({0, 3})}));
  EXPECT_EQ(given(CumSum{0}, {i64({4})}), "i64[4]");
  EXPECT_TRUE(refuses("axis 0", CumSum{0}, {i64({})}));
  EXPECT_EQ(given(TopK{2, 0}, {f32({4, 3})}), "f32[2,3] i64[2,3]");
  EXPECT_TRUE(refuses("has no 5 largest", TopK{5, 0}, {f32({4, 3})}));
}

TEST(Infer, Products) {
  EXPECT_EQ(given(MatMul{}, {f32({5, 1, 2, 3}), f32({4, 3, 7})}), "f32[5,4,2,7]");
  EXPECT_TRUE(refuses("matmul: [2,3] and [2,3] do not fit", MatMul{}, {f32({2, 3}), f32({2, 3})}));
  EXPECT_TRUE(refuses("ranks of 2 or more", MatMul{}, {f32({3}), f32({3, 2})}));
  EXPECT_TRUE(refuses("differ in type: f32[2,3] and i64[3,2]", MatMul{}, {f32({2, 3}), i64({3, 2})}));
  EXPECT_TRUE(refuses("do not broadcast", MatMul{}, {f32({2, 1, 3}), f32({3, 3, 1})}));
  EXPECT_EQ(given(Einsum{{{0, 1}, {1, 2}}, {2, 0}}, {f32({2, 3}), f32({3, 4})}), "f32[4,2]");
  EXPECT_TRUE(refuses("label 1 stands for extents 3 and 5", Einsum{{{0, 1}, {1}}, {}},
                      {f32({2, 3}), f32({5})}));
  EXPECT_TRUE(refuses("label 7 of the output is in no input", Einsum{{{0}}, {7}}, {f32({2})}));
  EXPECT_TRUE(refuses("label 0 stands twice in the output", Einsum{{{0}}, {0, 0}}, {f32({2})}));
  EXPECT_TRUE(refuses("a term has 1 entries for 2 dimensions", Einsum{{{0}}, {}}, {f32({2, 2})}));
  const std::int64_t large = std::int64_t{1} << 20;
  EXPECT_TRUE(refuses("more than 2^40 products", Einsum{{{0}, {1}, {2}}, {}},
                      {f32({large}), f32({large}), f32({2})}));
}

TEST(Infer, Convolutions) {
  EXPECT_EQ(given(Conv{window({7, 7}, 2, 3)}, {f32({1, 3, 224, 224}), f32({64, 3, 7, 7})}),
            "f32[1,64,112,112]");
  EXPECT_EQ(given(Conv{window({3}), 2}, {f32({1, 4, 9}), f32({6, 2, 3})}), "f32[1,6,7]");
  const ValueType image = f32({1, 4, 5, 5});
  EXPECT_TRUE(refuses("conv: 4 channels in 1 groups do not fit weights [6,3,3,3]", Conv{window({3, 3})},
                      {image, f32({6, 3, 3, 3})}));
  EXPECT_TRUE(refuses("4 channels in 3 groups", Conv{window({3, 3}), 3}, {image, f32({6, 1, 3, 3})}));
  EXPECT_TRUE(refuses("4 channels in 0 groups", Conv{window({3, 3}), 0}, {image, f32({6, 4, 3, 3})}));
  EXPECT_TRUE(refuses("5 output channels are not divided by 2 groups", Conv{window({3, 3}), 2},
                      {image, f32({5, 2, 3, 3})}));
  EXPECT_TRUE(
      refuses("do not have the kernel [3,3]", Conv{window({3, 3})}, {image, f32({6, 4, 3, 5})}));
  EXPECT_TRUE(refuses("reaches over 7 does not fit dimension 2", Conv{window({7, 7})},
                      {image, f32({6, 4, 7, 7})}));
  EXPECT_TRUE(
      refuses("kernel has 1 entries for 2 dimensions", Conv{window({3})}, {image, f32({6, 4, 3})}));
  EXPECT_TRUE(
      refuses("takes [n, c, spatial...], not [1,4]", Conv{window({})}, {f32({1, 4}), f32({6, 4})}));
  EXPECT_TRUE(refuses("cannot be 0", Conv{window({3, 3}, 0)}, {image, f32({6, 4, 3, 3})}));
  EXPECT_TRUE(refuses("padding cannot be",
                      Conv{window({3, 3}, 1, std::numeric_limits<std::int64_t>::max())},
                      {image, f32({6, 4, 3, 3})}));
  Conv strided{window({3, 3})};
  strided.window.strides.pop_back();
  EXPECT_TRUE(refuses("strides has 1 entries for 2 dimensions", strided, {image, f32({6, 4, 3, 3})}));
}

TEST(Infer, TransposedConvolutionsAndPools) {
  EXPECT_EQ(given(ConvTranspose{window({4, 4}, 2, 1)}, {f32({1, 8, 5, 5}), f32({8, 3, 4, 4})}),
            "f32[1,3,10,10]");
  EXPECT_EQ(given(ConvTranspose{window({3}), 2}, {f32({1, 4, 5}), f32({4, 3, 3})}), "f32[1,6,7]");
  EXPECT_TRUE(
      refuses("4 channels in 1 groups", ConvTranspose{window({3})}, {f32({1, 4, 5}), f32({5, 3, 3})}));
  EXPECT_TRUE(refuses("takes away more of dimension 2", ConvTranspose{window({1}, 1, 2)},
                      {f32({1, 4, 3}), f32({4, 3, 1})}));
  EXPECT_EQ(given(Pool{Reduction::Max, window({3, 3}, 2, 1)}, {f32({1, 64, 112, 112})}),
            "f32[1,64,56,56]");
  EXPECT_TRUE(refuses("by sum or max, not prod", Pool{Reduction::Prod, window({3})}, {f32({1, 4, 5})}));
  EXPECT_TRUE(refuses("does not fit", Pool{Reduction::Max, window({6})}, {f32({1, 4, 5})}));
  EXPECT_TRUE(
      refuses("is too large", Pool{Reduction::Sum, window({1 << 30}, 1, 1 << 30)}, {f32({1, 4, 5})}));
}

TEST(Infer, Moves) {
  EXPECT_EQ(given(Transpose{{2, 0, 1}}, {f32({2, 3, 4})}), "f32[4,2,3]");
  EXPECT_TRUE(refuses("transpose: dimension 0 is named twice", Transpose{{0, 0}}, {f32({2, 3})}));
  EXPECT_TRUE(refuses("order has 1 entries for 2 dimensions", Transpose{{0}}, {f32({2, 3})}));
  EXPECT_EQ(given(Reshape{{3, 2}}, {f32({6})}), "f32[3,2]");
  EXPECT_TRUE(refuses("[4] does not have the elements of f32[6]", Reshape{{4}}, {f32({6})}));
  EXPECT_TRUE(refuses("negative extent", Reshape{{-2, -3}}, {f32({6})}));
  EXPECT_EQ(given(Expand{{2, 3, 4}}, {f32({3, 1})}), "f32[2,3,4]");
  EXPECT_TRUE(refuses("f32[3] does not broadcast to [1]", Expand{{1}}, {f32({3})}));
  EXPECT_EQ(given(Concat{1}, {f32({2, 3}), f32({2, 0}), f32({2, 4})}), "f32[2,7]");
  EXPECT_TRUE(refuses("differ in more than dimension 0", Concat{0}, {f32({2, 3}), f32({2, 4})}));
  EXPECT_TRUE(refuses("differ in more than dimension 0", Concat{0}, {f32({2, 3}), f32({2})}));
  EXPECT_TRUE(refuses("at least one input", Concat{0}, {}));
  EXPECT_EQ(given(Resize{false, {}, {0.5}, {0}, {8}}, {f32({4})}), "f32[8]");
  EXPECT_TRUE(refuses("are finite",
                      Resize{false, {}, {std::numeric_limits<double>::infinity()}, {0}, {8}},
                      {f32({4})}));
  EXPECT_TRUE(refuses("is empty", Resize{false, {}, {1}, {0}, {1}}, {f32({0})}));
}

TEST(Infer, Slices) {
  const auto slice = [](std::int64_t start, std::int64_t step, std::int64_t count) {
    return Slice{{start}, {step}, {count}};
  };
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(given(slice(1, 2, 2), {f32({5})}), "f32[2]");
  EXPECT_EQ(given(slice(4, -2, 3), {f32({5})}), "f32[3]");
  EXPECT_EQ(given(slice(4, kLeast, 1), {f32({5})}), "f32[1]");
  EXPECT_EQ(given(slice(9, 1, 0), {f32({5})}), "f32[0]");
  EXPECT_TRUE(
      refuses("slice: 3 elements from 1 by 2 leave dimension 0 of [4]", slice(1, 2, 3), {f32({4})}));
  EXPECT_TRUE(refuses("leave dimension", slice(5, 1, 1), {f32({5})}));
  EXPECT_TRUE(refuses("leave dimension", slice(-1, 1, 1), {f32({5})}));
  EXPECT_TRUE(refuses("leave dimension", slice(3, -2, 3), {f32({5})}));
  EXPECT_TRUE(refuses("leave dimension", slice(0, 1, -1), {f32({5})}));
  EXPECT_TRUE(refuses("leave dimension", slice(4, kLeast, 2), {f32({5})}));
  EXPECT_TRUE(refuses("a step is not 0", slice(0, 0, 1), {f32({5})}));
}

TEST(Infer, Padding) {
  const auto pad = [](PadMode mode, std::int64_t before, std::int64_t after,
                      ir::Expr value = ir::float_imm(0)) {
    return Pad{mode, {before}, {after}, std::move(value)};
  };
  EXPECT_EQ(given(pad(PadMode::Constant, 2, -1), {f32({5})}), "f32[6]");
  EXPECT_EQ(given(pad(PadMode::Reflect, 4, 4), {f32({5})}), "f32[13]");
  EXPECT_TRUE(refuses("pad: 5 elements cannot be mirrored", pad(PadMode::Reflect, 5, 0), {f32({5})}));
  EXPECT_TRUE(refuses("has nothing to repeat", pad(PadMode::Wrap, 1, 0), {f32({0})}));
  EXPECT_TRUE(refuses("takes away more of dimension 0", pad(PadMode::Constant, -3, -3), {f32({5})}));
  EXPECT_TRUE(refuses("a literal of the type of i64[5]", pad(PadMode::Constant, 1, 1), {i64({5})}));
  EXPECT_TRUE(refuses("a literal", pad(PadMode::Constant, 1, 1, ir::Expr()), {f32({5})}));
  EXPECT_TRUE(refuses("padding cannot be",
                      pad(PadMode::Edge, std::numeric_limits<std::int64_t>::min(), 1), {f32({5})}));
}

TEST(Infer, Gathers) {
  EXPECT_EQ(given(Gather{1}, {f32({2, 3, 4}), i64({5, 6})}), "f32[2,5,6,4]");
  EXPECT_TRUE(refuses("indices are int32 or int64, not f32[5]", Gather{0}, {f32({2}), f32({5})}));
  EXPECT_TRUE(refuses("axis 0", Gather{0}, {f32({}), i64({})}));
  EXPECT_EQ(given(GatherElements{0}, {f32({2, 3}), i64({7, 2})}), "f32[7,2]");
  EXPECT_TRUE(refuses("reach beyond data", GatherElements{0}, {f32({2, 3}), i64({1, 4})}));
  EXPECT_TRUE(refuses("the indices' shape has 1 entries", GatherElements{0}, {f32({2, 3}), i64({1})}));
  EXPECT_EQ(given(GatherND{1}, {f32({2, 3, 4}), i64({2, 5, 1})}), "f32[2,5,4]");
  EXPECT_TRUE(refuses("have no 1 batch dimensions", GatherND{1}, {f32({2, 3}), i64({3, 1})}));
  EXPECT_TRUE(refuses("indices of 3 coordinates are too long", GatherND{0}, {f32({2, 3}), i64({3})}));
  EXPECT_TRUE(refuses("rank 1 or more", GatherND{0}, {f32({2, 3}), i64({})}));
  EXPECT_TRUE(refuses("have no -1 batch dimensions", GatherND{-1}, {f32({2, 3}), i64({1})}));
}

TEST(Infer, Loops) {
  Builder body("body");
  const ValueId state = body.input("state", f32({3})), now = body.input("now", f32({3}));
  const ValueId next = body.binary("next", ir::BinaryOp::Add, state, now);
  const auto graph = std::make_shared<Graph>(body.finish({next, now}));
  EXPECT_EQ(given(Loop{graph, 4, 1, 1}, {f32({3}), f32({4, 3})}), "f32[3] f32[4,3]");
  EXPECT_EQ(given(Loop{graph, 0, 1, 1}, {f32({3}), f32({0, 3})}), "f32[3] f32[0,3]");
  EXPECT_EQ(given(Loop{graph, 4, 1, 0}, {f32({3}), f32({3})}), "f32[3] f32[4,3]");
  EXPECT_TRUE(refuses("loop: f32[5,3] has no slice for each of 4 iterations", Loop{graph, 4, 1, 1},
                      {f32({3}), f32({5, 3})}));
  EXPECT_TRUE(
      refuses("takes f32[3] for input 0, not f32[2]", Loop{graph, 4, 1, 1}, {f32({2}), f32({4, 3})}));
  EXPECT_TRUE(refuses("cannot run -1 times", Loop{graph, -1, 1, 1}, {f32({3}), f32({4, 3})}));
  EXPECT_TRUE(refuses("2 carried and 1 scanned values are not among 2 inputs", Loop{graph, 4, 2, 1},
                      {f32({3}), f32({4, 3})}));
  EXPECT_TRUE(refuses("takes 2 inputs, not 1", Loop{graph, 4, 1, 0}, {f32({3})}));
  EXPECT_TRUE(refuses("has no body", Loop{}, {}));
}

TEST(Infer, AbsurdShapesAreRefused) {
  const std::int64_t large = std::int64_t{1} << 39;
  EXPECT_EQ(given(Expand{{large}}, {f32({1})}), "f32[549755813888]");
  EXPECT_TRUE(refuses("expand: f32[549755813888,4] has more than 2^40 elements", Expand{{large, 4}},
                      {f32({1})}));
  EXPECT_TRUE(refuses("more than 2^40", Concat{0}, {f32({large}), f32({large}), f32({large})}));
  EXPECT_TRUE(refuses("more than 2^40", MatMul{}, {f32({large, 1}), f32({1, large})}));
  EXPECT_THROW(require_sane(f32({0, std::numeric_limits<std::int64_t>::max()})), UserError);
  EXPECT_THROW(require_sane(f32({large, large, 0})), UserError);
  EXPECT_NO_THROW(require_sane(f32({large, 2, 0})));
}

}  // namespace
}  // namespace hone::graph
