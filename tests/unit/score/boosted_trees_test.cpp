#include "score/boosted_trees.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "score/metrics.h"
#include "tests/unit/score/synthetic.h"

namespace hone::score {
namespace {

std::vector<double> scores(const std::vector<Prediction>& predictions) {
  std::vector<double> out;
  for (const Prediction& prediction : predictions) out.push_back(prediction.score);
  return out;
}

std::vector<double> times(const Synthetic& data) {
  std::vector<double> out;
  for (const double label : data.labels) out.push_back(1 / label);
  return out;
}

BoostedTrees trained(const Synthetic& data, const BoostedTreesOptions& options = {}) {
  BoostedTrees model(options);
  model.train(data.samples, data.labels);
  return model;
}

bool same(const std::vector<Prediction>& a, const std::vector<Prediction>& b) {
  return std::ranges::equal(a, b, [](const Prediction& x, const Prediction& y) {
    return x.score == y.score && x.spread == y.spread && x.valid == y.valid && x.parts == y.parts;
  });
}

TEST(BoostedTrees, RankProgramsTheyHaveNotSeen) {
  const Synthetic unseen = synthetic(200, 4, 2);
  const auto correlation = [&](int n) {
    const BoostedTrees model = trained(synthetic(n, 4, 1));
    return rank_correlation(scores(model.predict(unseen.samples)), times(unseen));
  };
  EXPECT_GT(correlation(500), 0.85);
  EXPECT_GT(correlation(500), correlation(30));
}

TEST(BoostedTrees, DoNotDivergeOnProgramsOfManyRows) {
  const Synthetic data = synthetic(100, 20, 1);
  const std::vector<double> predicted = scores(trained(data, {.rounds = 60}).predict(data.samples));
  EXPECT_LT(rmse(predicted, data.labels), 0.2);
}

TEST(BoostedTrees, AreTheSameWithAnyNumberOfThreads) {
  Synthetic data = synthetic(60, 3, 1);
  data.labels[5] = data.labels[17] = 0;  // a validity booster too
  const BoostedTrees one = trained(data, {.seed = 9, .threads = 1});
  const BoostedTrees three = trained(data, {.seed = 9, .threads = 3});
  EXPECT_EQ(one.weights(), three.weights());
  EXPECT_TRUE(same(one.predict(data.samples), three.predict(data.samples)));
  EXPECT_NE(one.weights(), trained(data, {.seed = 10}).weights());
}

TEST(BoostedTrees, ForgetWhatTheyLearnedBefore) {
  const Synthetic data = synthetic(60, 3, 1);
  BoostedTrees again = trained(synthetic(40, 3, 5));
  again.train(data.samples, data.labels);
  EXPECT_EQ(again.weights(), trained(data).weights());
}

TEST(BoostedTrees, PartsAddUpToTheScore) {
  const Synthetic data = synthetic(60, 5, 1);
  for (const Prediction& prediction : trained(data).predict(data.samples)) {
    double sum = 0;
    for (const float part : prediction.parts) sum += part;
    EXPECT_NEAR(sum, prediction.score, 1e-5);
  }
}

TEST(BoostedTrees, AreLessSureWithLessData) {
  const Synthetic unseen = synthetic(100, 3, 2);
  const auto mean_spread = [&](int n) {
    double sum = 0;
    for (const Prediction& prediction : trained(synthetic(n, 3, 1)).predict(unseen.samples))
      sum += prediction.spread;
    return sum / 100;
  };
  EXPECT_GT(mean_spread(20), 1.5 * mean_spread(1000));
}

TEST(BoostedTrees, LearnWhichProgramsFail) {
  const auto fails = [](const Sample& sample) { return sample.row(0)[3] > 0.7F; };
  Synthetic data = synthetic(300, 2, 1);
  for (std::size_t i = 0; i < data.samples.size(); ++i) {
    if (fails(data.samples[i])) data.labels[i] = 0;
  }
  const Synthetic unseen = synthetic(100, 2, 2);
  const std::vector<Prediction> predictions = trained(data).predict(unseen.samples);
  int n_right = 0;
  for (std::size_t i = 0; i < predictions.size(); ++i)
    n_right += (predictions[i].valid < 0.5) == fails(unseen.samples[i]);
  EXPECT_GE(n_right, 90);
}

TEST(BoostedTrees, BelieveInNothingWhenAllFailed) {
  const Synthetic data = synthetic(50, 2, 1);
  const std::vector<double> all_failed(50, 0.0);
  BoostedTrees model({});
  model.train(data.samples, all_failed);
  for (const Prediction& prediction : model.predict(data.samples)) EXPECT_LT(prediction.valid, 0.2);
}

TEST(BoostedTrees, SayNothingBeforeTheyLearned) {
  const Synthetic data = synthetic(3, 2, 1);
  for (const Prediction& prediction : BoostedTrees({}).predict(data.samples)) {
    EXPECT_EQ(prediction.score, 0);
    EXPECT_EQ(prediction.valid, 1);
  }
  BoostedTrees model({});
  model.train({}, {});
  EXPECT_EQ(model.predict(data.samples).front().score, 0);
}

TEST(BoostedTrees, AProgramWithoutRowsIsInvalid) {
  Synthetic data = synthetic(40, 2, 1);
  data.samples[7] = {};
  data.labels[7] = 0;
  const std::vector<Prediction> predictions = trained(data).predict(data.samples);
  EXPECT_EQ(predictions[7].valid, 0);
  EXPECT_GT(predictions[8].valid, 0);
}

TEST(BoostedTrees, WeightsComeBack) {
  Synthetic data = synthetic(60, 3, 1);
  data.labels[5] = 0;
  const BoostedTrees model = trained(data);
  BoostedTrees copy({});
  copy.set_weights(model.weights());
  EXPECT_TRUE(same(copy.predict(data.samples), model.predict(data.samples)));
}

TEST(BoostedTrees, DamagedWeightsAreTheUsersMistake) {
  const std::string weights = trained(synthetic(30, 2, 1)).weights();
  BoostedTrees model({});
  EXPECT_THROW(model.set_weights(""), UserError);
  EXPECT_THROW(model.set_weights(weights.substr(0, weights.size() / 2)), UserError);
  EXPECT_THROW(model.set_weights("{\"columns\": [0], \"sizes\": [3], \"validity\": 0}\nabc"),
               UserError);
}

}  // namespace
}  // namespace hone::score
