#include "score/metrics.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace hone::score {
namespace {

using Values = std::vector<double>;

TEST(Metrics, TopKIsTheBestOfTheFirstK) {
  const Values times = {4, 2, 1, 8};
  const Values scores = {0.9, 0.5, 0.1, 0.7};  // order 4, 8, 2, 1
  EXPECT_DOUBLE_EQ(top_k(scores, times, 1), 0.25);
  EXPECT_DOUBLE_EQ(top_k(scores, times, 2), 0.25);
  EXPECT_DOUBLE_EQ(top_k(scores, times, 3), 0.5);
  EXPECT_DOUBLE_EQ(top_k(scores, times, 9), 1);
}

TEST(Metrics, TiesCountAsTheirMean) {
  const Values times = {1, 2, 4};
  EXPECT_DOUBLE_EQ(top_k(Values{0, 0, 0}, times, 1), (1 + 0.5 + 0.25) / 3);
  EXPECT_DOUBLE_EQ(top_k(Values{0, 0, 0}, times, 2), (1 + 1 + 0.5) / 3);
  EXPECT_DOUBLE_EQ(top_k(Values{0, 0, 1}, times, 2), (1 + 0.5) / 2);  // 4 first, then one of the others
  EXPECT_DOUBLE_EQ(pairwise_accuracy(Values{0, 0, 0}, times), 0.5);
  EXPECT_DOUBLE_EQ(rank_correlation(Values{0, 0, 0}, times), 0);
}

TEST(Metrics, PickedTimeIsATimeAndNotARatio) {
  const Values times = {1, 2, 4};
  EXPECT_DOUBLE_EQ(picked_time(Values{3, 1, 2}, times, 2), 1);
  EXPECT_DOUBLE_EQ(picked_time(Values{1, 2, 3}, times, 2), 2);
  EXPECT_DOUBLE_EQ(picked_time(Values{0, 0, 0}, times, 1), 7.0 / 3);  // not 1 / top_k
}

TEST(Metrics, FarOffIsALikelihood) {
  const Values times = {1, 4, 6, 60};
  EXPECT_DOUBLE_EQ(far_off(Values{1, 9, 2, 3}, times, 5), 0);
  EXPECT_DOUBLE_EQ(far_off(Values{1, 2, 9, 3}, times, 5), 1);
  EXPECT_DOUBLE_EQ(far_off(Values{0, 0, 0, 0}, times, 5), 0.5);
}

TEST(Metrics, RecallIsTheShareOfTheFastestThatWasPicked) {
  const Values times = {1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(recall(Values{4, 1, 3, 2}, times, 2), 0.5);
  EXPECT_DOUBLE_EQ(recall(Values{4, 3, 2, 1}, times, 2), 1);
  EXPECT_DOUBLE_EQ(recall(Values{0, 0, 0, 0}, times, 2), 0.5);               // as a random pick
  EXPECT_DOUBLE_EQ(recall(Values{4, 3, 2, 1}, Values{1, 1, 1, 1}, 2), 0.5);  // none is fastest
  EXPECT_DOUBLE_EQ(recall(Values{1, 2}, Values{1, 2}, 9), 1);
}

TEST(Metrics, TrialsUntilAGoodOneComes) {
  const Values times = {1, 1.05, 2, 4};
  EXPECT_DOUBLE_EQ(trials_to(Values{1, 2, 3, 4}, times, 0.9), 3);
  EXPECT_DOUBLE_EQ(trials_to(Values{1, 2, 3, 4}, times, 0.99), 4);
  EXPECT_DOUBLE_EQ(trials_to(Values{0, 0, 0, 0}, times, 0.99), 2.5);
  EXPECT_DOUBLE_EQ(trials_to(Values{0, 0, 0, 9}, times, 0.9), 1 + 4.0 / 3);  // one of two in three
}

// The definition, pair by pair.
double accuracy_by_pairs(const Values& scores, const Values& times) {
  double right = 0, pairs = 0;
  for (std::size_t a = 0; a < times.size(); ++a) {
    for (std::size_t b = 0; b < times.size(); ++b) {
      if (times[a] >= times[b]) continue;
      pairs += 1;
      right += scores[a] > scores[b] ? 1 : scores[a] == scores[b] ? 0.5 : 0;
    }
  }
  return right / pairs;
}

TEST(Metrics, PairwiseAccuracyIsItsDefinition) {
  Random random(1, 2);
  Values scores, times;
  for (int i = 0; i < 200; ++i) {
    scores.push_back(static_cast<double>(random.below(40)));  // many equal ones
    times.push_back(static_cast<double>(1 + random.below(60)));
  }
  EXPECT_DOUBLE_EQ(pairwise_accuracy(scores, times), accuracy_by_pairs(scores, times));
}

TEST(Metrics, PairwiseAccuracyCountsPairs) {
  EXPECT_DOUBLE_EQ(pairwise_accuracy(Values{3, 2, 1}, Values{1, 2, 3}), 1);
  EXPECT_DOUBLE_EQ(pairwise_accuracy(Values{1, 2, 3}, Values{1, 2, 3}), 0);
  EXPECT_DOUBLE_EQ(pairwise_accuracy(Values{3, 1, 2}, Values{1, 2, 3}), 2.0 / 3);
  EXPECT_DOUBLE_EQ(pairwise_accuracy(Values{1, 2}, Values{5, 5}), 0.5);
}

TEST(Metrics, RankCorrelationIsSpearmans) {
  EXPECT_DOUBLE_EQ(rank_correlation(Values{9, 5, 1}, Values{1, 2, 30}), 1);
  EXPECT_DOUBLE_EQ(rank_correlation(Values{1, 5, 9}, Values{1, 2, 30}), -1);
  // 1 - 6 * (1 + 1) / (4 * 15)
  EXPECT_DOUBLE_EQ(rank_correlation(Values{4, 2, 3, 1}, Values{1, 2, 3, 4}), 0.8);
}

TEST(Metrics, RmseIsTheRootOfTheMeanSquare) {
  EXPECT_DOUBLE_EQ(rmse(Values{1, 5}, Values{4, 1}), 3.5355339059327378);
}

}  // namespace
}  // namespace hone::score
