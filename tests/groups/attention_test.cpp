// Attention as one task gives the answer that its parts give.
#include <gtest/gtest.h>

#include "graph/builder.h"
#include "graph/passes.h"
#include "tests/groups/group_run.h"

namespace hone::groups {
namespace {

using graph::ValueId;
using ir::BinaryOp;
using ir::Scalar;

// As models have it: heads are cut out of rows, scores are scaled and masked.
graph::Graph attention(std::int64_t rows, std::int64_t heads, std::int64_t size) {
  graph::Builder b;
  const graph::ValueType part{Scalar::F32, {1, rows, heads, size}};
  const auto turned = [&](const char* name, std::vector<int> order) {
    return b.apply(name, graph::Transpose{std::move(order)}, {b.input(name, part)});
  };
  const ValueId q = turned("q", {0, 2, 1, 3}), k = turned("k", {0, 2, 3, 1});
  const ValueId scores = b.apply("scores", graph::MatMul{}, {q, k});
  const ValueId scaled = b.binary("scaled", BinaryOp::Mul, scores, b.scalar(0.25, Scalar::F32));
  const ValueId masked =
      b.binary("masked", BinaryOp::Add, scaled, b.input("mask", {Scalar::F32, {1, 1, 1, rows}}));
  const ValueId most = b.apply("most", graph::Reduce{graph::Reduction::Max, {3}}, {masked});
  const ValueId power =
      b.unary("power", ir::Function::Exp, b.binary("less", BinaryOp::Sub, masked, most));
  const ValueId total = b.apply("total", graph::Reduce{graph::Reduction::Sum, {3}}, {power});
  const ValueId share = b.binary("share", BinaryOp::Div, power, total);
  const ValueId result = b.apply("result", graph::MatMul{}, {share, turned("v", {0, 2, 1, 3})});
  return b.finish({b.apply("turned", graph::Transpose{{0, 2, 1, 3}}, {result})});
}

TEST(Attention, AsOneTaskGivesTheSameAnswer) {
  for (const bool is_joined : {false, true}) {
    for (const std::int64_t rows : {24, 33}) {
      const graph::Graph graph =
          graph::run_passes(attention(rows, 3, 20), {.join_attention = is_joined});
      const Outcome outcome = run_groups(graph, random_inputs(graph, 7), target::host(), 4);
      EXPECT_EQ(outcome.fault, "") << rows;
      EXPECT_EQ(outcome.kernels, is_joined ? 1 : 3);
    }
  }
}

}  // namespace
}  // namespace hone::groups
