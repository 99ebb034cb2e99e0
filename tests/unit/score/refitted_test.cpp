#include "score/refitted.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace hone::score {
namespace {

// Reads the sample's numbers; its last layer likes the first one only.
class Trained final : public Predictor {
 public:
  std::vector<Prediction> predict(std::span<const Sample> samples) const override {
    std::vector<Prediction> out;
    for (const Sample& sample : samples)
      out.push_back({.score = std::exp(double{sample.values[0]}), .hidden = sample.values});
    return out;
  }
};

std::vector<Sample> programs(int n, std::uint64_t seed) {
  std::vector<Sample> out;
  Random random(seed, 0);
  for (int i = 0; i < n; ++i) {
    std::vector<float> values;
    for (int j = 0; j < 6; ++j) values.push_back(static_cast<float>(2 * random.unit() - 1));
    out.push_back({std::move(values), {0}});
  }
  return out;
}

// The truth on this machine: the second number counts, too, and everything is slower.
double log_speed(const Sample& sample) {
  return double{sample.values[0]} - 1.2 * double{sample.values[1]} - 2.2;
}

double mean_error(const Refitted& model, const std::vector<Sample>& samples) {
  const std::vector<Prediction> said = model.predict(samples);
  double sum = 0;
  for (std::size_t i = 0; i < samples.size(); ++i)
    sum += std::abs(std::log(said[i].score) - log_speed(samples[i]));
  return sum / static_cast<double>(samples.size());
}

class RefittedTest : public testing::Test {
 protected:
  void learn(int n) {
    const std::vector<Sample> samples = programs(n, 1);
    std::vector<double> labels;
    for (const Sample& sample : samples) labels.push_back(std::exp(log_speed(sample)));
    model_.train(samples, labels);
  }
  const std::vector<Sample> unseen_ = programs(100, 2);
  Refitted model_{std::make_shared<Trained>()};
};

TEST_F(RefittedTest, SaysWhatTheNetworkSaysBeforeThereAreTrials) {
  const double before = model_.predict(unseen_)[0].score;
  EXPECT_DOUBLE_EQ(before, std::exp(double{unseen_[0].values[0]}));
  model_.train(unseen_, std::vector<double>(unseen_.size(), 0));  // all of them failed
  EXPECT_DOUBLE_EQ(model_.predict(unseen_)[0].score, before);
}

TEST_F(RefittedTest, MoreTrialsTeachMoreOfUnseenPrograms) {
  learn(8);
  const double few = mean_error(model_, unseen_);
  learn(256);
  const double many = mean_error(model_, unseen_);
  EXPECT_LT(few, 0.6);  // 2.2 before
  EXPECT_LT(many, 0.15);
  EXPECT_LT(many, few);
}

TEST_F(RefittedTest, KeepsTheTrainedLayerWhereTrialsSayNothing) {
  const std::vector<Sample> alike(20, unseen_[0]);
  model_.train(alike, std::vector<double>(20, 0.5));
  const std::vector<Prediction> said = model_.predict(unseen_);
  for (std::size_t i = 0; i < unseen_.size(); ++i)
    EXPECT_NEAR(std::log(said[i].score / said[0].score),
                double{unseen_[i].values[0]} - double{unseen_[0].values[0]}, 1e-6);
}

TEST_F(RefittedTest, IsAFunctionOfItsLastTrials) {
  learn(64);
  const double once = model_.predict(unseen_)[7].score;
  learn(8);
  learn(64);
  EXPECT_EQ(model_.predict(unseen_)[7].score, once);
}

}  // namespace
}  // namespace hone::score
