// Random graphs, group by group, as they are and after all passes: compiled without tuning, each
// computes what the graph says.
// HONE_PROPERTY_SEED moves on to others: it is the seed of the first one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/passes.h"
#include "tests/graph_generator/graph_generator.h"
#include "tests/groups/group_run.h"
#include "tests/shared_data.h"

namespace hone::groups {
namespace {

constexpr int kGraphs = 300, kShards = 20;

class RandomGraphs : public testing::TestWithParam<int> {};

TEST_P(RandomGraphs, ComputeWhatTheGraphSays) {
  const std::uint64_t first = std::stoull(setting_or("HONE_PROPERTY_SEED", "0"));
  const target::Target target = target::host();
  int kernels = 0;
  for (int i = GetParam(); i < kGraphs; i += kShards) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
    const graph::Graph graph = test::random_graph(seed);
    const std::vector<graph::Tensor> inputs = test::random_inputs(graph, seed);
    for (const graph::Graph& subject : {graph, graph::run_passes(graph)}) {
      const Outcome outcome = run_groups(subject, inputs, target);
      EXPECT_EQ(outcome.fault, "") << "seed " << seed;
      kernels += outcome.kernels;
    }
  }
  EXPECT_GT(kernels, kGraphs / kShards);
}

INSTANTIATE_TEST_SUITE_P(groups, RandomGraphs, testing::Range(0, kShards));

}  // namespace
}  // namespace hone::groups
