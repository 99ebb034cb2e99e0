#include "tune/form_choice.h"

#include <gtest/gtest.h>

#include "small_network.h"

namespace hone::tune {
namespace {

using Options = std::vector<int>;

// Three convolutions in a row; choices 0 and 1 are channels last, 2 and 3 the same channels first.
class FormChoiceTest : public testing::Test {
 protected:
  Options chosen(std::vector<double> choices_s, double conversion_s) const {
    return choose_options(plan_, 0, {std::move(choices_s), {conversion_s}});
  }
  const Plan plan_ = plan_networks({small_network()}, {});
};

TEST_F(FormChoiceTest, ConversionsMustBePaidFor) {
  // The first two gain 1 each; their input and what the third one reads are converted.
  EXPECT_EQ(chosen({3, 3, 2, 9}, 0.9), (Options{1, 1, 0}));
  EXPECT_EQ(chosen({3, 3, 2, 9}, 1.1), (Options{0, 0, 0}));
}

TEST_F(FormChoiceTest, NeighboursFlipTogether) {
  // Alone none of them pays for the conversions on both sides of it; the three together do.
  EXPECT_EQ(chosen({3, 3, 2, 2}, 1.4), (Options{1, 1, 1}));
  EXPECT_EQ(chosen({3, 3, 2, 3.5}, 1.4), (Options{0, 0, 0}));
}

TEST_F(FormChoiceTest, WhatIsImpossibleIsNotTaken) {
  EXPECT_EQ(chosen({3, 3, std::numeric_limits<double>::infinity(), 1}, 0), (Options{0, 0, 1}));
}

TEST_F(FormChoiceTest, TheRivalIsWhatComesNext) {
  const Times times{{3, 3, 4, 4}, {0}};
  const Options taken = choose_options(plan_, 0, times);
  EXPECT_EQ(taken, (Options{0, 0, 0}));
  EXPECT_EQ(rival_options(plan_, 0, times, taken, 2), (Options{1, 1, 1}));
  EXPECT_EQ(rival_options(plan_, 0, times, taken, 1.2), taken) << "nothing comes so close";
}

TEST_F(FormChoiceTest, WhatWasNotMeasuredStaysPlain) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  EXPECT_EQ(measured_times(plan_, {kNone, 3, kNone, 3}, {1}).choices_s,
            (std::vector<double>{0, 3, kNone, 3 * kOtherForm}));
}

TEST(FormChoice, AttentionTakesItsTasksTogether) {
  const Plan plan = plan_networks({attention_network()}, {});
  EXPECT_EQ(choose_options(plan, 0, {{4, 1, 1, 1}, {}}), Options{1});
  EXPECT_EQ(choose_options(plan, 0, {{4, 1, 2, 1.5}, {}}), Options{0});
}

// A value that three read is converted once for those who want it otherwise.
TEST(FormChoice, OneConversionServesAllReaders) {
  Plan plan;
  plan.choices.resize(2);
  PlannedNetwork network;
  network.places.assign(3, {0, {{graph::Form::Plain, {0}}, {graph::Form::ChannelsFirst, {1}}}});
  network.handovers = {{.places = {0, 1, 2}, .is_last_elsewhere = true, .to_first = 0}};
  plan.networks.push_back(network);
  EXPECT_EQ(choose_options(plan, 0, {{2, 1}, {2.9}}), (Options{1, 1, 1}));
  EXPECT_EQ(choose_options(plan, 0, {{2, 1}, {3.1}}), (Options{0, 0, 0}));
}

// Three places in a row with three layouts each; the ends are channels last.
class LayoutChoiceTest : public testing::Test {
 protected:
  static constexpr int kToFirst = 0, kToBlocks = 1;

  // Times of the layouts of each place; of conversions to channels first and to blocks.
  static Options chosen(const std::vector<std::vector<double>>& places_s, const Times& conversions,
                        int to_blocks = kToBlocks) {
    Plan plan;
    PlannedNetwork network;
    Times times{{}, conversions.conversions_s};
    for (const std::vector<double>& options_s : places_s) {
      const int first = static_cast<int>(times.choices_s.size());
      times.choices_s.insert(times.choices_s.end(), options_s.begin(), options_s.end());
      network.places.push_back({0,
                                {{graph::Form::Plain, {first}},
                                 {graph::Form::ChannelsFirst, {first + 1}},
                                 {graph::Form::Blocked, {first + 2}}}});
    }
    network.handovers = {
        {.places = {0}, .is_last_elsewhere = true, .to_first = kToFirst, .to_blocks = to_blocks},
        {.places = {0, 1}, .to_first = kToFirst, .to_blocks = to_blocks},
        {.places = {1, 2}, .to_first = kToFirst, .to_blocks = to_blocks},
        {.places = {2}, .is_last_elsewhere = true, .to_first = kToFirst, .to_blocks = to_blocks}};
    plan.networks.push_back(network);
    return choose_options(plan, 0, times);
  }
};

TEST_F(LayoutChoiceTest, BlocksAreTakenWhereTheyAreFaster) {
  EXPECT_EQ(chosen({{3, 9, 2}, {3, 9, 2}, {3, 9, 2}}, {{}, {9, 1.4}}), (Options{2, 2, 2}));
  EXPECT_EQ(chosen({{3, 9, 2}, {3, 9, 2}, {3, 9, 2}}, {{}, {9, 1.6}}), (Options{0, 0, 0}));
  EXPECT_EQ(chosen({{3, 9, 4}, {3, 9, 1}, {3, 9, 4}}, {{}, {9, 0.9}}), (Options{0, 2, 0}));
}

TEST_F(LayoutChoiceTest, WhatIsOneBlockIsNotConverted) {
  EXPECT_EQ(chosen({{3, 9, 3.1}, {3, 9, 2.9}, {3, 9, 3.1}}, {{}, {9, 9}}, -1), (Options{0, 2, 0}));
}

TEST_F(LayoutChoiceTest, BlocksBecomeChannelsFirstInOneStep) {
  const std::vector<std::vector<double>> places_s = {{9, 9, 1}, {9, 1, 9}, {9, 9, 1}};
  EXPECT_EQ(chosen(places_s, {{}, {3, 2}}), (Options{2, 1, 2}));
  EXPECT_EQ(chosen(places_s, {{}, {5, 2}}), (Options{2, 2, 2})) << "two of 5 for a gain of 8";
}

}  // namespace
}  // namespace hone::tune
