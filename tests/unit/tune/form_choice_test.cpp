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
  network.handovers = {{.places = {0, 1, 2}, .is_last_elsewhere = true}};
  plan.networks.push_back(network);
  EXPECT_EQ(choose_options(plan, 0, {{2, 1}, {2.9}}), (Options{1, 1, 1}));
  EXPECT_EQ(choose_options(plan, 0, {{2, 1}, {3.1}}), (Options{0, 0, 0}));
}

}  // namespace
}  // namespace hone::tune
