#include "score/metrics.h"

#include <gtest/gtest.h>

#include <vector>

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
