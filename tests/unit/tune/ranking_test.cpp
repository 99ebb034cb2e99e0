#include "tune/ranking.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hone::tune {
namespace {

std::vector<Trial> trials(std::vector<std::pair<double, double>> score_and_time) {
  std::vector<Trial> all;
  for (const auto& [score, seconds] : score_and_time) {
    Trial trial;
    trial.candidate.score = score;
    trial.measurement.status = seconds > 0 ? measure::Status::Ok : measure::Status::Runtime;
    if (seconds > 0) trial.measurement.seconds = {seconds};
    all.push_back(trial);
  }
  return all;
}

TEST(RankCorrelation, IsOneForTheRightOrderAndMinusOneForTheReverse) {
  EXPECT_DOUBLE_EQ(rank_correlation(trials({{3, 1}, {2, 2}, {1, 30}})), 1);
  EXPECT_DOUBLE_EQ(rank_correlation(trials({{1, 1}, {2, 2}, {3, 30}})), -1);
}

TEST(RankCorrelation, SharesRanksAmongEqualScores) {
  // Ranks of scores 0.5 0.5 2, of speeds 0 1 2: 1.5 / sqrt(1.5 * 2).
  EXPECT_NEAR(rank_correlation(trials({{1, 3}, {1, 2}, {2, 1}})), std::sqrt(0.75), 1e-12);
}

TEST(RankCorrelation, LooksOnlyAtTrialsWithScoreAndTime) {
  EXPECT_DOUBLE_EQ(rank_correlation(trials({{3, 1}, {9, 0}, {record::kNone, 0.1}, {2, 2}})), 1);
  EXPECT_TRUE(std::isnan(rank_correlation(trials({{3, 1}, {2, 0}}))));
  EXPECT_TRUE(std::isnan(rank_correlation(trials({{2, 1}, {2, 3}}))));
}

TEST(Top1, IsTheSpeedOfTheFavouriteRelativeToTheFastest) {
  EXPECT_DOUBLE_EQ(top1(trials({{5, 4}, {2, 1}, {3, 2}})), 0.25);
  EXPECT_TRUE(std::isnan(top1(trials({{record::kNone, 1}}))));
}

}  // namespace
}  // namespace hone::tune
