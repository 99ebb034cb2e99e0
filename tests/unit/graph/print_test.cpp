#include "graph/print.h"

#include <gtest/gtest.h>

#include <memory>

#include "graph/builder.h"
#include "tests/tensors.h"

namespace hone::graph {
namespace {

using ir::Scalar;

TEST(Print, ANodeALine) {
  Builder builder("net");
  const ValueId x = builder.input("image", {Scalar::F32, {1, 3, 8, 8}});
  const ValueId w = builder.constant(Tensor::zeros(Scalar::F32, {4, 3, 3, 3}), "conv1.weight");
  const ValueId b = builder.constant(test::f32({4, 1, 1}, {1, 2, 0.5, -4}), "conv1.bias");
  const ValueId y = builder.apply("conv1", Conv{{{3, 3}, {2, 2}, {1, 1}, {1, 1}, {0, 1}}}, {x, w});
  const ValueId z = builder.map("relu1", {y, b},
                                [](const auto& v) { return ir::max(v[0] + v[1], ir::float_imm(0)); });
  const std::vector<ValueId> top = builder.add("best", TopK{2, 3}, {z});
  EXPECT_EQ(print(builder.finish({top[0], top[1]})),
            "graph net\n"
            "  %0 f32[1,3,8,8] = input  # image\n"
            "  %1 f32[4,3,3,3] = constant  # conv1.weight\n"
            "  %2 f32[4,1,1] = constant 1, 2, 0.5, -4  # conv1.bias\n"
            "  %3 f32[1,4,4,4] = conv %0, %1 window 3x3 stride 2 pad 1:0x1  # conv1\n"
            "  %4 f32[1,4,4,4] = map %3, %2 max((x0 + x1), 0f)  # relu1\n"
            "  %5 f32[1,4,4,2], %6 i64[1,4,4,2] = top_k %4 largest 2 axis 3  # best\n"
            "  output %5, %6\n");
}

TEST(Print, BodiesOfLoopsAreIndented) {
  Builder body("body");
  const ValueId state = body.input("state", {Scalar::F32, {}}),
                now = body.input("now", {Scalar::F32, {}});
  const ValueId next = body.binary("next", ir::BinaryOp::Add, state, now);
  const Loop loop{std::make_shared<Graph>(body.finish({next})), 5, 1, 1, true};
  Builder builder("net");
  const ValueId start = builder.input("start", {Scalar::F32, {}}),
                x = builder.input("x", {Scalar::F32, {5}});
  EXPECT_EQ(print(builder.finish({builder.apply("sum", loop, {start, x})})),
            "graph net\n"
            "  %0 f32[] = input  # start\n"
            "  %1 f32[5] = input  # x\n"
            "  %2 f32[] = loop %0, %1 trips 5 carried 1 scanned 1 reverse  # sum\n"
            "    %0 f32[] = input  # state\n"
            "    %1 f32[] = input  # now\n"
            "    %2 f32[] = map %0, %1 (x0 + x1)  # next\n"
            "    output %2\n"
            "  output %2\n");
}

TEST(Print, Operators) {
  EXPECT_EQ(print(Conv{{{1, 3}, {1, 1}, {2, 2}, {0, 0}, {0, 0}}, 4}),
            "conv window 1x3 dilation 2 groups 4");
  EXPECT_EQ(print(Pool{Reduction::Max, {{2}, {2}, {1}, {0}, {0}}}), "pool max window 2 stride 2");
  EXPECT_EQ(print(Einsum{{{1, 9, 3}, {3, 30}}, {1, 30}}), "einsum bjd,d<30>->b<30>");
  EXPECT_EQ(print(Reduce{Reduction::Sum, {0, 2}}), "reduce sum axes 0,2");
  EXPECT_EQ(print(ArgReduce{false, 1, true}), "arg_reduce min axis 1 last");
  EXPECT_EQ(print(Transpose{{1, 0}}), "transpose 1,0");
  EXPECT_EQ(print(Slice{{3, 0}, {-1, 1}, {2, 2}}), "slice from [3,0] by [-1,1]");
  EXPECT_EQ(print(Pad{PadMode::Constant, {1}, {-2}, ir::float_imm(0.5)}),
            "pad 0.5f before [1] after [-2]");
  EXPECT_EQ(print(Pad{PadMode::Reflect, {1}, {2}, {}}), "pad reflect before [1] after [2]");
  EXPECT_EQ(print(Resize{false, Rounding::Ceil, {1, 0.5}, {0, -0.25}, {2, 2}}),
            "resize nearest ceil scales [1,0.5] offsets [0,-0.25]");
  EXPECT_EQ(print(CumSum{1, true, true}), "cumsum axis 1 exclusive reverse");
  EXPECT_EQ(print(GatherND{2}), "gather_nd batch 2");
  EXPECT_EQ(print(MatMul{}), "matmul");
}

}  // namespace
}  // namespace hone::graph
