#include "tune/choice.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "base/random.h"

namespace hone::tune {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Conversions: nothing between equal alternatives, else about as dear as a node.
ChoiceProblem::Edge random_edge(const ChoiceProblem& problem, int a, int b, Random& random) {
  ChoiceProblem::Edge edge{a, b, {}};
  const std::size_t rows = problem.node_cost[static_cast<std::size_t>(a)].size();
  const std::size_t columns = problem.node_cost[static_cast<std::size_t>(b)].size();
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) edge.cost.push_back(i == j ? 0 : random.unit());
  }
  return edge;
}

ChoiceProblem random_nodes(int count, Random& random) {
  ChoiceProblem problem;
  for (int node = 0; node < count; ++node) {
    std::vector<double>& costs = problem.node_cost.emplace_back();
    const std::int64_t alternatives = 1 + random.below(4);
    for (std::int64_t i = 0; i < alternatives; ++i) costs.push_back(0.5 + random.unit());
  }
  return problem;
}

// Grows by a node beside one or two joined ones, so that nodes of at most two neighbours take it apart.
ChoiceProblem random_series_parallel(int count, Random& random) {
  ChoiceProblem problem = random_nodes(count, random);
  for (int node = 1; node < count; ++node) {
    if (node == 1 || random.below(3) == 0) {
      problem.edges.push_back(random_edge(problem, node, static_cast<int>(random.below(node)), random));
      continue;
    }
    const std::int64_t pick = random.below(static_cast<std::int64_t>(problem.edges.size()));
    const auto [a, b, cost] = problem.edges[static_cast<std::size_t>(pick)];
    problem.edges.push_back(random_edge(problem, a, node, random));
    problem.edges.push_back(random_edge(problem, node, b, random));
  }
  return problem;
}

ChoiceProblem random_dense(int count, Random& random) {
  ChoiceProblem problem = random_nodes(count, random);
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      if (random.below(3) > 0) problem.edges.push_back(random_edge(problem, a, b, random));
    }
  }
  return problem;
}

double least_cost(const ChoiceProblem& problem) {
  std::vector<int> choice(problem.node_cost.size(), 0);
  double least = cost_of(problem, choice);
  for (std::size_t node = 0; node < choice.size();) {
    if (++choice[node] == static_cast<int>(problem.node_cost[node].size())) {
      choice[node++] = 0;
      continue;
    }
    least = std::min(least, cost_of(problem, choice));
    node = 0;
  }
  return least;
}

TEST(Choice, AddsNodesAndEdges) {
  const ChoiceProblem problem{{{1, 2}, {10, 20, 30}}, {{0, 1, {100, 200, 300, 400, 500, 600}}}};
  EXPECT_EQ(cost_of(problem, {1, 2}), 2 + 30 + 600);
  EXPECT_EQ(cost_of(problem, {1, 0}), 2 + 10 + 400);
}

TEST(Choice, KeepsALayoutOverACheaperNodeWhenConversionsCostMore) {
  // The middle of a chain is faster by 1 in the other layout, which asks for two conversions of 0.6.
  const std::vector<double> conversion = {0, 0.6, 0.6, 0};
  ChoiceProblem problem{{{1, 9}, {3, 2}, {1, 9}}, {{0, 1, conversion}, {1, 2, conversion}}};
  EXPECT_EQ(choose(problem), (std::vector<int>{0, 0, 0}));
  problem.node_cost[1] = {3.3, 2};
  EXPECT_EQ(choose(problem), (std::vector<int>{0, 1, 0}));
}

TEST(Choice, AddsUpTheEdgesOfTwoNodesInBothDirections) {
  const ChoiceProblem problem{{{0, 1}, {0, 1}}, {{0, 1, {3, 0, 9, 9}}, {1, 0, {0, 9, 2, 1}}}};
  // (0, 0): 3; (0, 1): 1 + 0 + 2; (1, 1): 2 + 9 + 1; (1, 0): 1 + 9 + 9.
  EXPECT_EQ(cost_of(problem, choose(problem)), 3);
}

TEST(Choice, LeavesOutWhatIsImpossible) {
  const ChoiceProblem problem{{{0, 5}, {0, 4}, {0, 5}},
                              {{0, 1, {kInfinity, 0, 0, 0}}, {1, 2, {kInfinity, 0, kInfinity, 0}}}};
  EXPECT_EQ(choose(problem), (std::vector<int>{0, 1, 1}));
}

TEST(Choice, IsTheBestOnSeriesParallelGraphs) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed, 1);
    const ChoiceProblem problem = random_series_parallel(2 + static_cast<int>(random.below(8)), random);
    EXPECT_NEAR(cost_of(problem, choose(problem)), least_cost(problem), 1e-9) << "seed " << seed;
  }
}

TEST(Choice, IsNearTheBestOnDenseGraphs) {
  double sum = 0, least_sum = 0;
  int exact = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed, 2);
    const ChoiceProblem problem = random_dense(8, random);
    const double cost = cost_of(problem, choose(problem));
    const double least = least_cost(problem);
    EXPECT_LE(cost, 1.15 * least) << "seed " << seed;
    sum += cost;
    least_sum += least;
    exact += cost <= least * (1 + 1e-9) ? 1 : 0;
  }
  EXPECT_LE(sum, 1.02 * least_sum);
  EXPECT_GE(exact, 120);
}

TEST(Choice, IsNeverWorseThanTheSameAlternativeEverywhere) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed, 3);
    const ChoiceProblem problem = random_dense(20, random);
    const double cost = cost_of(problem, choose(problem));
    for (int alternative = 0; alternative < 4; ++alternative) {
      std::vector<int> same;
      for (const auto& costs : problem.node_cost) {
        same.push_back(std::min(alternative, static_cast<int>(costs.size()) - 1));
      }
      EXPECT_LE(cost, cost_of(problem, same) + 1e-9) << "seed " << seed;
    }
  }
}

TEST(Choice, TakesLargeResidualNetworks) {
  Random random(7, 4);
  const ChoiceProblem problem = random_series_parallel(2000, random);
  const std::vector<int> choice = choose(problem);
  const double cost = cost_of(problem, choice);
  for (std::size_t node = 0; node < choice.size(); ++node) {
    std::vector<int> other = choice;
    other[node] = (other[node] + 1) % static_cast<int>(problem.node_cost[node].size());
    ASSERT_GE(cost_of(problem, other), cost - 1e-9);
  }
}

TEST(Choice, HasNothingToChooseInAnEmptyGraph) { EXPECT_TRUE(choose({}).empty()); }

TEST(Choice, RefusesEdgesOfTheWrongSize) {
  EXPECT_THROW(choose({{{1, 2}, {1, 2}}, {{0, 1, {0, 0, 0}}}}), InternalError);
  EXPECT_THROW(choose({{{1, 2}, {}}, {}}), InternalError);
  EXPECT_THROW(choose({{{1, -2}}, {}}), InternalError);
}

}  // namespace
}  // namespace hone::tune
