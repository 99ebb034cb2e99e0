#include "tune/network_plan.h"

#include <gtest/gtest.h>

#include "small_network.h"

namespace hone::tune {
namespace {

using enum graph::Algorithm;

std::vector<graph::Algorithm> algorithms_of(const Choice& choice) {
  std::vector<graph::Algorithm> all;
  for (const Alternative& one : choice.alternatives) all.push_back(one.algorithm);
  return all;
}

TEST(NetworkPlan, EqualComputationsAreOneChoice) {
  const Plan plan = plan_networks({small_network()}, {});
  ASSERT_EQ(plan.choices.size(), 2u);
  EXPECT_EQ(plan.choices[0].uses, std::vector<double>{2});
  EXPECT_EQ(algorithms_of(plan.choices[0]), (std::vector{Direct, Winograd2, Winograd4}));
  EXPECT_EQ(plan.choices[1].uses, std::vector<double>{1});
  EXPECT_EQ(algorithms_of(plan.choices[1]), (std::vector{Direct, MatMul}));
  EXPECT_EQ(plan.tasks.size(), 5u);
  EXPECT_EQ(plan.networks[0].places.size(), 3u);
}

TEST(NetworkPlan, ExactLeavesOutWhatRoundsOtherwise) {
  const Plan plan = plan_networks({small_network()}, {.exact = true});
  EXPECT_EQ(algorithms_of(plan.choices[0]), std::vector{Direct});
  EXPECT_EQ(algorithms_of(plan.choices[1]), (std::vector{Direct, MatMul}));
}

TEST(NetworkPlan, SubPixelsAreATaskOfTheirOwn) {
  graph::Builder builder("picture");
  graph::Window window = square_window(4, 1);
  window.strides = {2, 2};
  const graph::ValueId x = builder.input("x", {ir::Scalar::F32, {1, 8, 8, 16}});
  const graph::ValueId w = builder.constant(test::random_tensor(ir::Scalar::F32, {4, 4, 16, 3}, 1));
  const Plan plan =
      plan_networks({builder.finish({builder.apply("picture", graph::ConvTranspose{window}, {x, w})})},
                    {.exact = true});
  ASSERT_EQ(plan.choices.size(), 1u);
  EXPECT_EQ(algorithms_of(plan.choices[0]), (std::vector{Direct, SubPixel}));
  EXPECT_EQ(plan.tasks.size(), 2u);
}

TEST(NetworkPlan, NetworksShareTasks) {
  const Plan plan = plan_networks({small_network("one"), small_network("two")}, {});
  ASSERT_EQ(plan.choices.size(), 2u);
  EXPECT_EQ(plan.choices[0].uses, (std::vector<double>{2, 2}));
  EXPECT_EQ(plan.tasks.size(), 5u);
}

TEST(NetworkPlan, ChosenAlgorithmsStandInTheGraph) {
  const Plan plan = plan_networks({small_network()}, {});
  const graph::Graph graph = with_algorithms(plan, 0, {2, 1});
  std::vector<graph::Algorithm> all;
  for (const graph::Node& node : graph.nodes) {
    if (const auto* conv = std::get_if<graph::Conv>(&node.op)) all.push_back(conv->algorithm);
  }
  EXPECT_EQ(all, (std::vector{Winograd4, Winograd4, MatMul}));
}

}  // namespace
}  // namespace hone::tune
