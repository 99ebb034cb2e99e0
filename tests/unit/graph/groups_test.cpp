#include "graph/groups.h"

#include <gtest/gtest.h>

#include "graph/builder.h"

namespace hone::graph {
namespace {

using ir::BinaryOp;
using ir::Function;
using ir::Scalar;

ValueId conv(Builder& b, const std::string& name, ValueId x) {
  const Window window{{1, 1}, {1, 1}, {1, 1}, {0, 0}, {0, 0}};
  return b.apply(name, Conv{window}, {x, b.constant(Tensor::zeros(Scalar::F32, {4, 4, 1, 1}))});
}

// The names of the nodes, group by group.
std::vector<std::vector<std::string>> groups_of(const Graph& graph) {
  std::vector<std::vector<std::string>> names;
  for (const Group& group : fuse(graph)) {
    names.emplace_back();
    for (const int n : group.nodes) {
      names.back().push_back(graph.nodes[static_cast<std::size_t>(n)].name);
    }
  }
  return names;
}
using Names = std::vector<std::vector<std::string>>;

TEST(Groups, ALaterConvolutionTakesTheSumOfTwo) {
  Builder b;
  const ValueId x = b.input("x", {Scalar::F32, {1, 4, 5, 5}});
  const ValueId one = conv(b, "one", x), two = conv(b, "two", x);
  const ValueId sum = b.binary("sum", BinaryOp::Add, one, two);
  EXPECT_EQ(groups_of(b.finish({b.unary("tanh", Function::Tanh, sum)})),
            (Names{{"one"}, {"two", "sum", "tanh"}}));
}

TEST(Groups, WhatOthersWaitForEndsAGroup) {
  Builder b;
  const ValueId x = b.input("x", {Scalar::F32, {1, 4, 5, 5}});
  const ValueId one = b.unary("tanh", Function::Tanh, conv(b, "one", x));
  const ValueId two = conv(b, "two", one);
  EXPECT_EQ(groups_of(b.finish({b.binary("sum", BinaryOp::Add, one, two)})),
            (Names{{"one", "tanh"}, {"two", "sum"}}));
}

// What convolutions give lies in its place already; of other inputs it is a function of elements.
TEST(Groups, AConcatenationOfConvolutionsStandsAlone) {
  Builder b;
  const ValueId x = b.input("x", {Scalar::F32, {1, 4, 5, 5}});
  const ValueId one = conv(b, "one", x), two = b.unary("tanh", Function::Tanh, conv(b, "two", x));
  const ValueId made = b.apply("made", Concat{1}, {one, two});
  const ValueId deep = b.apply("deep", Concat{2}, {made, made});
  const ValueId given = b.apply("given", Concat{1}, {one, x});
  EXPECT_EQ(
      groups_of(b.finish({b.unary("a", Function::Abs, deep), b.unary("b", Function::Abs, given)})),
      (Names{{"one"}, {"two", "tanh"}, {"made"}, {"deep"}, {"a"}, {"given", "b"}}));
}

TEST(Groups, AnOutputOfTheGraphEndsAGroup) {
  Builder b;
  const ValueId one = conv(b, "one", b.input("x", {Scalar::F32, {1, 4, 5, 5}}));
  EXPECT_EQ(groups_of(b.finish({one, b.unary("tanh", Function::Tanh, one)})),
            (Names{{"one"}, {"tanh"}}));
}

TEST(Groups, AValueThatIsUsedTwiceInsideStaysInside) {
  Builder b;
  const ValueId one = conv(b, "one", b.input("x", {Scalar::F32, {1, 4, 5, 5}}));
  const ValueId gate = b.unary("gate", Function::Sigmoid, one);
  EXPECT_EQ(groups_of(b.finish({b.binary("silu", BinaryOp::Mul, one, gate)})),
            (Names{{"one", "gate", "silu"}}));
}

TEST(Groups, AResultThatGrowsIsAnotherGroup) {
  Builder b;
  const ValueId row = b.unary("exp", Function::Exp, b.input("row", {Scalar::F32, {8}}));
  const ValueId whole = b.apply("expand", Expand{{6, 8}}, {row});
  EXPECT_EQ(groups_of(b.finish({whole})), (Names{{"exp"}, {"expand"}}));
}

// A map between two convolutions needs the first and feeds the second: it cannot be in one group with
// something on the other side of them.
TEST(Groups, NoGroupWaitsForItself) {
  Builder b;
  const ValueId x = b.unary("first", Function::Tanh, b.input("x", {Scalar::F32, {1, 4, 5, 5}}));
  const ValueId y = conv(b, "conv", x);
  EXPECT_EQ(groups_of(b.finish({b.binary("sum", BinaryOp::Add, x, y)})),
            (Names{{"first"}, {"conv", "sum"}}));
}

TEST(Groups, ReshapesAreInNoGroup) {
  Builder b;
  const ValueId x = b.unary("exp", Function::Exp, b.input("x", {Scalar::F32, {4, 6}}));
  const ValueId view = b.apply("view", Reshape{{24}}, {x});
  EXPECT_EQ(groups_of(b.finish({b.unary("tanh", Function::Tanh, view)})), (Names{{"exp"}, {"tanh"}}));
}

}  // namespace
}  // namespace hone::graph
