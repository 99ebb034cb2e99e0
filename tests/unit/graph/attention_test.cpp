#include "graph/attention.h"

#include <gtest/gtest.h>

#include "graph/builder.h"
#include "graph/groups.h"
#include "graph/passes.h"

namespace hone::graph {
namespace {

const ValueType kMatrix{ir::Scalar::F32, {2, 8, 8}};

struct Attention {
  Builder b;
  ValueId scores, power, total, share, result;
};

// Without the largest score, which changes nothing here.
Attention attention() {
  Attention a;
  Builder& b = a.b;
  a.scores = b.apply("scores", MatMul{}, {b.input("q", kMatrix), b.input("k", kMatrix)});
  a.power = b.unary("power", ir::Function::Exp, a.scores);
  a.total = b.apply("total", Reduce{Reduction::Sum, {2}}, {a.power});
  a.share = b.binary("share", ir::BinaryOp::Div, a.power, a.total);
  a.result = b.apply("result", MatMul{}, {a.share, b.input("v", kMatrix)});
  return a;
}

TEST(Attention, IsFoundFromItsLastProduct) {
  Attention a = attention();
  const Graph graph = a.b.finish({a.result});
  EXPECT_EQ(attention_of(graph, 4), (std::vector{0, 1, 2, 3, 4}));
  EXPECT_EQ(attention_of(graph, 0), std::vector<int>{});
}

TEST(Attention, ThatOthersReadStaysApart) {
  Attention a = attention();
  const Graph graph = a.b.finish({a.result, a.share});
  EXPECT_EQ(attention_of(graph, 4), std::vector<int>{});
}

TEST(Attention, IsMoreThanTwoProductsWithAFunctionBetween) {
  Builder b;
  const ValueId first = b.apply("first", MatMul{}, {b.input("x", kMatrix), b.input("y", kMatrix)});
  const ValueId middle = b.unary("middle", ir::Function::Tanh, first);
  const Graph graph = b.finish({b.apply("second", MatMul{}, {middle, b.input("z", kMatrix)})});
  EXPECT_EQ(attention_of(graph, 2), std::vector<int>{});
}

TEST(Attention, IsOneGroupWhereItIsJoined) {
  Attention a = attention();
  const Graph graph = a.b.finish({a.result});
  EXPECT_EQ(fuse(graph).size(), 3u);
  EXPECT_EQ(fuse(run_passes(graph, {.join_attention = true})).size(), 1u);
}

}  // namespace
}  // namespace hone::graph
