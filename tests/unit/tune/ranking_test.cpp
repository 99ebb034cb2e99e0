#include "tune/ranking.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hone::tune {
namespace {

std::vector<Trial> trials(const std::vector<std::pair<double, double>>& score_and_time) {
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

TEST(Ranking, LooksOnlyAtTrialsWithScoreAndTime) {
  const Ranking right = ranking_of(trials({{3, 1}, {9, 0}, {record::kNone, 0.1}, {2, 2}}));
  EXPECT_DOUBLE_EQ(right.rank_correlation, 1);
  EXPECT_DOUBLE_EQ(right.top1, 1);
  const Ranking wrong = ranking_of(trials({{5, 4}, {6, 8}, {1, 1}}));
  EXPECT_DOUBLE_EQ(wrong.rank_correlation, -1);
  EXPECT_DOUBLE_EQ(wrong.top1, 0.125);
}

TEST(Ranking, IsNotKnownOfOneTrial) {
  EXPECT_TRUE(std::isnan(ranking_of(trials({{3, 1}, {2, 0}})).rank_correlation));
  EXPECT_TRUE(std::isnan(ranking_of(trials({{3, 1}, {2, 0}})).top1));
}

}  // namespace
}  // namespace hone::tune
