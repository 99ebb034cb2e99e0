#include "graph/builder.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "graph/verify.h"
#include "tests/tensors.h"

namespace hone::graph {
namespace {

using ir::Scalar;
using test::f32;
using test::i64;
using test::numbers;
using Numbers = std::vector<double>;

TEST(Builder, WhatIsConstantIsWorkedOutAtOnce) {
  Builder builder;
  const ValueId shape = builder.constant(i64({3}, {2, 3, 4}));
  const ValueId last = builder.apply("last", Slice{{1}, {1}, {2}}, {shape});
  const ValueId count = builder.apply("count", Reduce{Reduction::Prod, {0}}, {last});
  ASSERT_TRUE(builder.constant_of(count));
  EXPECT_EQ(numbers(*builder.constant_of(count)), Numbers{12});
  EXPECT_TRUE(builder.finish({count}).nodes.empty());
}

TEST(Builder, NodesOfInputsStay) {
  Builder builder("net");
  const ValueId x = builder.input("x", {Scalar::F32, {2}});
  const ValueId y = builder.binary("y", ir::BinaryOp::Add, x, builder.scalar(1, Scalar::F32));
  EXPECT_FALSE(builder.constant_of(y));
  EXPECT_EQ(builder.type(y).shape, Shape{2});
  const Graph graph = builder.finish({y});
  verify(graph);
  EXPECT_EQ(graph.nodes.size(), 1U);
  EXPECT_EQ(graph.name, "net");
}

TEST(Builder, ConstantsDoNotGrowWithoutBound) {
  Builder builder;
  const ValueId one = builder.scalar(1, Scalar::F32);
  EXPECT_TRUE(builder.constant_of(builder.apply("small", Expand{{1 << 18}}, {one})));
  const ValueId large = builder.apply("large", Expand{{1 << 19}}, {one});
  EXPECT_FALSE(builder.constant_of(large));
  // What is no larger than it was may have any size.
  const ValueId weights = builder.constant(Tensor::zeros(Scalar::F32, {1 << 10, 1 << 9}));
  EXPECT_TRUE(builder.constant_of(builder.apply("turned", Transpose{{1, 0}}, {weights})));
}

TEST(Builder, CostlyOperatorsAreLeftToTheProgram) {
  Builder builder;
  const ValueId row = builder.constant(f32({2}, {1, 2}));
  EXPECT_FALSE(builder.constant_of(builder.apply("sum", Einsum{{{0}}, {}}, {row})));
}

TEST(Builder, NamesAreUnique) {
  Builder builder;
  const ValueId x = builder.input("x", {Scalar::F32, {2}});
  EXPECT_THROW(builder.input("x", {Scalar::F32, {2}}), UserError);
  const ValueId a = builder.unary("x", ir::Function::Tanh, x),
                b = builder.unary("x", ir::Function::Tanh, a);
  const ValueId c = builder.unary("", ir::Function::Tanh, b),
                d = builder.unary("x_1", ir::Function::Tanh, c);
  EXPECT_EQ(builder.value(a).name, "x_1");
  EXPECT_EQ(builder.value(b).name, "x_2");
  EXPECT_NE(builder.value(d).name, "x_1");
  builder.rename(d, "x_2");
  EXPECT_EQ(builder.value(d).name, "x_2");
  EXPECT_NE(builder.value(b).name, "x_2");
  verify(builder.finish({d}));
}

TEST(Builder, SeveralOutputs) {
  Builder builder;
  const ValueId x = builder.input("x", {Scalar::F32, {5}});
  const std::vector<ValueId> top = builder.add("top", TopK{2, 0}, {x});
  ASSERT_EQ(top.size(), 2U);
  EXPECT_EQ(builder.type(top[1]).type, Scalar::I64);
  EXPECT_THROW(builder.apply("top", TopK{2, 0}, {x}), InternalError);
}

TEST(Builder, MistakesAreTheModels) {
  Builder builder;
  const ValueId x = builder.input("x", {Scalar::F32, {2}}), y = builder.input("y", {Scalar::F32, {3}});
  const ValueId zero = builder.scalar(0, Scalar::I64);
  const auto message = [&](const auto& build) -> std::string {
    try {
      build();
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message([&] { builder.binary("add_7", ir::BinaryOp::Add, x, y); }),
            "map: shapes [2] and [3] do not broadcast");
  EXPECT_EQ(message([&] { builder.binary("div_2", ir::BinaryOp::Div, zero, zero); }),
            "map: a division by zero");
  EXPECT_THROW(builder.input("z", {Scalar::F32, {1 << 30, 1 << 30}}), UserError);
  EXPECT_THROW(builder.value(99), InternalError);
}

TEST(Builder, ScalarsAreOfTheirType) {
  Builder builder;
  EXPECT_EQ(numbers(*builder.constant_of(builder.scalar(-3, Scalar::I8))), Numbers{-3});
  EXPECT_EQ(numbers(*builder.constant_of(builder.scalar(0.1, Scalar::F32))), Numbers{0.1F});
  EXPECT_EQ(numbers(*builder.constant_of(builder.scalar(1, Scalar::Bool))), Numbers{1});
}

}  // namespace
}  // namespace hone::graph
