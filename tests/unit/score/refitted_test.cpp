#include "score/refitted.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/score/last_layer.h"

namespace hone::score {
namespace {

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
    const std::vector<Sample> samples = random_samples(n, 1);
    std::vector<double> labels;
    for (const Sample& sample : samples) labels.push_back(std::exp(log_speed(sample)));
    model_.train(samples, labels);
  }
  const std::vector<Sample> unseen_ = random_samples(100, 2);
  Refitted model_{std::make_shared<KnowsTheFirst>()};
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
