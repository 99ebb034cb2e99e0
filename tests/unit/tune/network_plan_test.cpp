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

TEST(NetworkPlan, BlocksAreALayoutOfTheirOwn) {
  const Plan plan = plan_networks({small_network()}, {.lanes = 4});
  for (const Place& place : plan.networks[0].places) {
    ASSERT_EQ(place.options.size(), 3u);
    EXPECT_EQ(place.options[2].form, Form::Blocked);
    ASSERT_EQ(place.options[2].choices.size(), 1u);
    const Choice& choice = plan.choices[static_cast<std::size_t>(place.options[2].choices[0])];
    EXPECT_EQ(choice.form, Form::Blocked);
    EXPECT_EQ(last_extent(*plan.tasks[static_cast<std::size_t>(choice.alternatives[0].task)]), 4);
  }
  EXPECT_EQ(plan.conversions.size(), 2u) << "to channels first and to blocks";
  for (const Handover& handover : plan.networks[0].handovers)
    EXPECT_NE(handover.to_first, handover.to_blocks);
  for (int mixture = 0; mixture < 27; ++mixture)
    expect_known_tasks(plan, {mixture % 3, mixture / 3 % 3, mixture / 9});
  EXPECT_EQ(plan_networks({small_network()}, {.lanes = kChannels}).choices.size(), 4u)
      << "one block is none";
}

TEST(NetworkPlan, BlocksAreTriedOnlyWhereTheyPayOrThereIsTime) {
  const auto forms_of = [](double of_blocks, bool tries_blocks) {
    const auto estimate = [=](const task::Task& task) {
      const bool is_conversion = task.ops.size() == 2;
      return is_conversion ? 0.01 : last_extent(task) == 4 ? of_blocks : 1;
    };
    const Plan plan = plan_networks({small_network()},
                                    {.estimate = estimate, .lanes = 4, .tries_blocks = tries_blocks});
    return plan.networks[0].places[1].options;
  };
  EXPECT_EQ(forms_of(1, false).size(), 1u);
  EXPECT_EQ(forms_of(0.5, false).size(), 2u);
  ASSERT_EQ(forms_of(1, true).size(), 2u);
  EXPECT_EQ(forms_of(1, true)[1].form, Form::Blocked);
  EXPECT_EQ(forms_of(1.1, true).size(), 1u);
}

// Channels that do not fill blocks lie as one block does: nothing is converted.
TEST(NetworkPlan, OneBlockIsHandedOverAsItIs) {
  graph::Builder builder("bottleneck");
  const graph::ValueId x = builder.input("x", {ir::Scalar::F32, {1, 8, 8, 6}});
  const auto conv = [&](graph::ValueId in, std::int64_t from, std::int64_t to) {
    const auto w = builder.constant(test::random_tensor(ir::Scalar::F32, {1, 1, from, to}, 1));
    return builder.apply("conv", graph::Conv{square_window(1, 0)}, {in, w});
  };
  const Plan plan = plan_networks({builder.finish({conv(conv(x, 6, 16), 16, 6)})}, {.lanes = 4});
  const std::vector<Handover>& all = plan.networks[0].handovers;
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].to_blocks, -1);
  EXPECT_GE(all[1].to_blocks, 0);
  EXPECT_EQ(all[2].to_blocks, -1);
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
