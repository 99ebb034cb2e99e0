#include "score/guarded.h"

#include <gtest/gtest.h>

namespace hone::score {
namespace {

// Says the first number of a sample, times a factor that its owner can change.
class Fixed final : public Model {
 public:
  explicit Fixed(const double& factor) : factor_(factor) {}
  const char* kind() const override { return "fixed"; }
  void train(std::span<const Sample> /*unused*/, std::span<const double> /*unused*/) override {}
  std::vector<Prediction> predict(std::span<const Sample> samples) const override {
    std::vector<Prediction> out;
    for (const Sample& sample : samples) out.push_back({.score = factor_ * sample.values[0]});
    return out;
  }
  std::string weights() const override { return {}; }
  void set_weights(const std::string& /*unused*/) override {}

 private:
  const double& factor_;
};

class GuardedTest : public testing::Test {
 protected:
  // A round of programs that are the faster the larger their number is.
  void measure_round() {
    for (int i = 1; i <= 8; ++i) {
      samples_.push_back({{static_cast<float>(i)}, {0}});
      labels_.push_back(i / 8.0);
    }
    guarded_.train(samples_, labels_);
  }
  double score() const { return guarded_.predict(std::span(samples_).first(1))[0].score; }

  double learned_ = 1, draft_ = 2;
  Guarded guarded_{std::make_unique<Fixed>(learned_), std::make_unique<Fixed>(draft_), {}};
  std::vector<Sample> samples_;
  std::vector<double> labels_;
};

TEST_F(GuardedTest, WhatWasLearnedLeadsWhileItIsNotWorse) {
  for (int i = 0; i < 3; ++i) measure_round();
  EXPECT_FALSE(guarded_.draft_leads());
  EXPECT_EQ(score(), 1);
}

TEST_F(GuardedTest, TheDraftLeadsAfterTwoBadRoundsAndAsLongAsThoseCount) {
  learned_ = -1;
  measure_round();
  EXPECT_FALSE(guarded_.draft_leads());
  measure_round();
  EXPECT_TRUE(guarded_.draft_leads());
  EXPECT_EQ(score(), 2);
  learned_ = 1;
  measure_round();
  EXPECT_TRUE(guarded_.draft_leads());
  measure_round();
  EXPECT_FALSE(guarded_.draft_leads());
}

TEST_F(GuardedTest, BothHaveAVoiceUntilTwoRoundsHaveShownWhoIsRight) {
  learned_ = -1;
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(guarded_.n_voices(), 2);
    const Sample sample{{1}, {0}};
    EXPECT_EQ(guarded_.predict_as(0, {&sample, 1})[0].score, -1);
    EXPECT_EQ(guarded_.predict_as(1, {&sample, 1})[0].score, 2);
    measure_round();
  }
  EXPECT_EQ(guarded_.n_voices(), 1);
  EXPECT_EQ(guarded_.predict_as(0, std::span(samples_).first(1))[0].score, 2) << "the draft leads";
}

TEST_F(GuardedTest, FailedProgramsRankNothing) {
  learned_ = -1;
  for (int i = 0; i < 4; ++i) {
    samples_.push_back({{1}, {0}});
    labels_.push_back(0);
    guarded_.train(samples_, labels_);
  }
  EXPECT_FALSE(guarded_.draft_leads());
}

}  // namespace
}  // namespace hone::score
