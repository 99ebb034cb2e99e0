#include "score/adapted.h"

#include <gtest/gtest.h>

#include <cmath>

#include "score/refitted.h"
#include "tests/unit/score/last_layer.h"

namespace hone::score {
namespace {

// The truth on this machine: whatever is far from the middle in the second number is slow, and no
// change of the last layer can say so.
double truth(const Sample& sample) {
  return double{sample.values[0]} - 1.5 * std::abs(double{sample.values[1]}) - 1;
}

void teach(Model& model, int n) {
  const std::vector<Sample> samples = random_samples(n, 1);
  std::vector<double> labels;
  for (const Sample& sample : samples) labels.push_back(std::exp(truth(sample)));
  model.train(samples, labels);
}

double error_of(const Model& model) {
  const std::vector<Sample> unseen = random_samples(100, 2);
  const std::vector<Prediction> said = model.predict(unseen);
  double sum = 0;
  for (std::size_t i = 0; i < unseen.size(); ++i)
    sum += std::abs(std::log(said[i].score) - truth(unseen[i])) / 100;
  return sum;
}

TEST(Adapted, BeginsAsTheNetworkWasTrained) {
  Adapted model(std::make_shared<KnowsTheFirst>(), 1);
  const std::vector<Sample> samples = random_samples(5, 2);
  EXPECT_DOUBLE_EQ(model.predict(samples)[0].score, std::exp(double{samples[0].values[0]}));
  model.train(samples, std::vector<double>(samples.size(), 0));  // all of them failed
  EXPECT_DOUBLE_EQ(model.predict(samples)[0].score, std::exp(double{samples[0].values[0]}));
}

TEST(Adapted, LearnsWhatNoChangeOfTheLastLayerCanSay) {
  Adapted adapted(std::make_shared<KnowsTheFirst>(), 1);
  Refitted refitted(std::make_shared<KnowsTheFirst>());
  teach(adapted, 16);
  const double few = error_of(adapted);
  teach(adapted, 500);
  teach(refitted, 500);
  EXPECT_LT(error_of(adapted), few);
  EXPECT_LT(error_of(adapted), 0.6 * error_of(refitted));
}

TEST(Adapted, LearningIsAFunctionOfTheTrials) {
  Adapted once(std::make_shared<KnowsTheFirst>(), 1), twice(std::make_shared<KnowsTheFirst>(), 1);
  teach(once, 50);
  teach(twice, 20);
  teach(twice, 50);
  EXPECT_EQ(error_of(once), error_of(twice));
}

TEST(Adapted, TrialsThatAreAlikeChangeTheScaleOnly) {
  Adapted model(std::make_shared<KnowsTheFirst>(), 1);
  const std::vector<Sample> unseen = random_samples(20, 2), alike(20, unseen[0]);
  model.train(alike, std::vector<double>(20, 0.5));
  const std::vector<Prediction> said = model.predict(unseen);
  for (std::size_t i = 0; i < unseen.size(); ++i)
    EXPECT_NEAR(std::log(said[i].score / said[0].score),
                double{unseen[i].values[0]} - double{unseen[0].values[0]}, 1e-6);
}

}  // namespace
}  // namespace hone::score
