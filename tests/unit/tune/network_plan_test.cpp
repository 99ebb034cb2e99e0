#include "tune/network_plan.h"

#include <gtest/gtest.h>

#include <set>

#include "artefact/task_program.h"
#include "small_network.h"

namespace hone::tune {
namespace {

using enum graph::Algorithm;
using graph::Form;

std::vector<graph::Algorithm> algorithms_of(const Choice& choice) {
  std::vector<graph::Algorithm> all;
  for (const Alternative& one : choice.alternatives) all.push_back(one.algorithm);
  return all;
}

constexpr std::int64_t kChannels = 16;

std::int64_t last_extent(const task::Task& task) {
  return task.ops[static_cast<std::size_t>(task.outputs().at(0))].output()->shape.back();
}

TEST(NetworkPlan, EqualComputationsAreOneChoice) {
  const Plan plan = plan_networks({small_network()}, {});
  ASSERT_EQ(plan.choices.size(), 4u) << "two in each layout";
  EXPECT_EQ(plan.choices[0].uses, std::vector<double>{2});
  EXPECT_EQ(algorithms_of(plan.choices[0]), (std::vector{Direct, Winograd2, Winograd4}));
  EXPECT_EQ(plan.choices[1].uses, std::vector<double>{1});
  EXPECT_EQ(algorithms_of(plan.choices[1]), (std::vector{Direct, MatMul}));
  EXPECT_EQ(plan.tasks.size(), 10u);
  EXPECT_EQ(plan.networks[0].places.size(), 3u);
}

TEST(NetworkPlan, LayoutsAreChoicesOfTheirOwn) {
  const Plan plan = plan_networks({small_network()}, {});
  const std::vector<Place>& places = plan.networks[0].places;
  for (const Place& place : places) {
    ASSERT_EQ(place.options.size(), 2u);
    EXPECT_EQ(place.options[0].form, Form::Plain);
    EXPECT_EQ(place.options[1].form, Form::ChannelsFirst);
  }
  EXPECT_EQ(places[0].options[1].choices, std::vector{2});
  EXPECT_EQ(places[1].options[1].choices, std::vector{2});
  EXPECT_EQ(places[2].options[1].choices, std::vector{3});
  EXPECT_EQ(plan.choices[2].form, Form::ChannelsFirst);
  EXPECT_EQ(plan.choices[2].uses, std::vector<double>{0}) << "not while all is plain";
  EXPECT_EQ(algorithms_of(plan.choices[2]), (std::vector{Direct, Winograd2, Winograd4}));
  const task::Task& task = *plan.tasks[static_cast<std::size_t>(plan.choices[2].alternatives[0].task)];
  EXPECT_EQ(last_extent(task), 8) << "pixels of a row";
  EXPECT_EQ(uses_of(plan, 0, {1, 0, 1}), (std::vector<double>{1, 0, 1, 1}));
  EXPECT_EQ(possible_uses(plan, 0), (std::vector<double>{2, 1, 2, 1}));
}

TEST(NetworkPlan, ValuesThatPlacesHandOverAreConverted) {
  const Plan plan = plan_networks({small_network()}, {});
  const std::vector<Handover>& all = plan.networks[0].handovers;
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].places, std::vector{0}) << "the network's input";
  EXPECT_TRUE(all[0].is_last_elsewhere);
  EXPECT_EQ(all[1].places, (std::vector{0, 1}));
  EXPECT_FALSE(all[1].is_last_elsewhere || all[1].is_first_elsewhere);
  EXPECT_EQ(all[2].places, (std::vector{1, 2}));
  EXPECT_EQ(all[3].places, std::vector{2}) << "its output";
  EXPECT_EQ(plan.conversions.size(), 1u) << "all of one shape";
}

TEST(NetworkPlan, LayoutsThatCannotPayAreLeftOut) {
  const auto kind_to = [](bool channels_first) {
    return [=](const task::Task& task) {
      const bool is_first = last_extent(task) != kChannels;
      const bool is_conversion = task.ops.size() == 2;
      return is_conversion ? 0.3 : is_first == channels_first ? 1 : 2;
    };
  };
  const Plan last = plan_networks({small_network()}, {.exact = false, .estimate = kind_to(false)});
  EXPECT_EQ(last.choices.size(), 2u);
  EXPECT_EQ(last.tasks.size(), 5u);
  EXPECT_TRUE(last.networks[0].handovers.empty());
  const Plan first = plan_networks({small_network()}, {.exact = false, .estimate = kind_to(true)});
  EXPECT_EQ(first.choices.size(), 4u);
  EXPECT_EQ(first.networks[0].handovers.size(), 4u);
}

TEST(NetworkPlan, AttentionIsOneTaskOrThree) {
  const Plan plan = plan_networks({attention_network()}, {});
  ASSERT_EQ(plan.networks[0].places.size(), 1u);
  const std::vector<Option>& options = plan.networks[0].places[0].options;
  ASSERT_EQ(options.size(), 2u);
  EXPECT_EQ(options[0].choices.size(), 1u);
  EXPECT_EQ(options[1].form, Form::Separate);
  EXPECT_EQ(options[1].choices.size(), 3u);
  EXPECT_EQ(plan.choices.size(), 4u);
}

TEST(NetworkPlan, ExactLeavesOutWhatRoundsOtherwise) {
  const Plan plan = plan_networks({small_network()}, {.exact = true});
  for (const Choice& choice : plan.choices) {
    for (const graph::Algorithm algorithm : algorithms_of(choice))
      EXPECT_TRUE(algorithm == Direct || algorithm == MatMul);
  }
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
  ASSERT_EQ(plan.choices.size(), 4u);
  EXPECT_EQ(plan.choices[0].uses, (std::vector<double>{2, 2}));
  EXPECT_EQ(plan.tasks.size(), 10u);
}

// Every task of the arranged network is known, but for transpositions.
void expect_known_tasks(const Plan& plan, const std::vector<int>& options) {
  std::set<std::string> known;
  for (const auto& task : plan.tasks) known.insert(artefact::identity_of(*task));
  const graph::Graph graph = arranged(plan, 0, options, std::vector<int>(plan.choices.size()));
  for (const auto& [task, strides] : artefact::task_program(graph).tasks) {
    EXPECT_TRUE(known.contains(artefact::identity_of(*task)) || task->name.starts_with("transpose"))
        << task->name;
  }
}

TEST(NetworkPlan, NetworksOfMixedFormsAreMadeOfThePlansTasks) {
  const Plan plan = plan_networks({small_network()}, {});
  for (int mixture = 0; mixture < 8; ++mixture)
    expect_known_tasks(plan, {mixture & 1, mixture >> 1 & 1, mixture >> 2});
  expect_known_tasks(plan_networks({attention_network()}, {}), {1});
}

TEST(NetworkPlan, ChosenAlgorithmsStandInTheGraph) {
  const Plan plan = plan_networks({small_network()}, {});
  const graph::Graph graph = arranged(plan, 0, {0, 0, 0}, {2, 1, 0, 0});
  std::vector<graph::Algorithm> all;
  for (const graph::Node& node : graph.nodes) {
    if (const auto* conv = std::get_if<graph::Conv>(&node.op)) all.push_back(conv->algorithm);
  }
  EXPECT_EQ(all, (std::vector{Winograd4, Winograd4, MatMul}));
}

}  // namespace
}  // namespace hone::tune
