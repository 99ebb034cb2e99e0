#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "graph/evaluate.h"
#include "graph/print.h"
#include "graph/verify.h"
#include "tests/graph_generator/graph_generator.h"
#include "tests/tensors.h"

namespace hone::graph {
namespace {

constexpr std::uint64_t kGraphs = 300;

TEST(RandomGraph, IsWellFormedAndComputesModestNumbers) {
  for (std::uint64_t seed = 0; seed < kGraphs; ++seed) {
    const Graph graph = test::random_graph(seed);
    ASSERT_NO_THROW(verify(graph)) << print(graph);
    ASSERT_GE(graph.nodes.size(), 1U) << seed;
    const std::vector<Tensor> outputs = evaluate(graph, test::random_inputs(graph, seed));
    ASSERT_FALSE(outputs.empty());
    for (const Tensor& output : outputs) {
      for (const double number : test::numbers(output)) {
        ASSERT_LT(std::abs(number), ir::is_float(output.type()) ? 1e6 : 1e19) << seed << print(graph);
      }
    }
  }
}

TEST(RandomGraph, HasEveryOperatorAndManySizes) {
  std::set<std::size_t> operators, sizes;
  for (std::uint64_t seed = 0; seed < kGraphs; ++seed) {
    const Graph graph = test::random_graph(seed);
    sizes.insert(graph.nodes.size());
    for (const Node& node : graph.nodes) operators.insert(node.op.index());
  }
  EXPECT_EQ(operators.size(), std::variant_size_v<Operator>);
  EXPECT_GE(sizes.size(), 25U);
}

TEST(RandomGraph, TheSeedDecides) {
  EXPECT_EQ(print(test::random_graph(7)), print(test::random_graph(7)));
  EXPECT_NE(print(test::random_graph(7)), print(test::random_graph(8)));
}

}  // namespace
}  // namespace hone::graph
