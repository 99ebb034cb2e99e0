#include "score/judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"

namespace hone::score {
namespace {

using Values = std::vector<double>;
constexpr double kFailed = std::numeric_limits<double>::quiet_NaN();

// Two tasks whose programs alternate; the second one has a failure.
const std::vector<std::uint32_t> kTaskOf = {0, 1, 0, 1, 0, 1};
const Values kSeconds = {1, 10, 2, kFailed, 4, 30};

Judge judge_of_two(std::vector<int> ks) {
  JudgedSet set = judged_set(kTaskOf, kSeconds, std::vector<std::uint32_t>{0, 1});
  set.networks = {{"first", {{.task = 0, .weight = 3}, {.task = 1, .weight = 1}}},
                  {"second", {{.task = 1, .weight = 2}}}};
  return {std::move(set), std::move(ks)};
}

double value_of(const Judge& judge, const Values& scores, Metric metric, Values counts = {1, 1}) {
  const Values values = judge.summarise(judge.judge(scores), counts);
  const auto place = std::ranges::find(judge.metrics(), metric) - judge.metrics().begin();
  return values.at(static_cast<std::size_t>(place));
}

TEST(Judge, PoolsTheTimesOfNetworks) {
  const Judge judge = judge_of_two({1, 2});
  const Values scores = {1, 3, 3, 1, 2, 9};  // picks 2 of 1, and 30 of 10
  EXPECT_DOUBLE_EQ(value_of(judge, scores, {Family::Pooled, 1}),
                   (3 * 1 + 1 * 10 + 2 * 10.0) / (3 * 2 + 1 * 30 + 2 * 30));
  EXPECT_DOUBLE_EQ(value_of(judge, scores, {Family::Networks, 1}),
                   ((3 * 1 + 10.0) / (3 * 2 + 30) + 10.0 / 30) / 2);
  EXPECT_DOUBLE_EQ(value_of(judge, scores, {Family::Tasks, 1}), (0.5 + 10.0 / 30) / 2);
  EXPECT_DOUBLE_EQ(value_of(judge, scores, {Family::Tasks, 2}), (0.5 + 1) / 2);
}

TEST(Judge, AFailedPickCostsAsMuchAsTheFloorSays) {
  const Judge judge = judge_of_two({1});
  const Values scores = {9, 0, 0, 9, 0, 0};
  EXPECT_DOUBLE_EQ(value_of(judge, scores, {Family::Tasks, 1}), (1 + 1e-5) / 2);
  EXPECT_DOUBLE_EQ(value_of(judge, scores, {Family::FarOff, 0}), 1);
  EXPECT_DOUBLE_EQ(value_of(judge, scores, {Family::Networks, 1}, {0, 1}), 1e-5);
}

TEST(Judge, AHopelessTimeCountsAsAFailure) {
  const JudgedSet set =
      judged_set(std::vector<std::uint32_t>{0, 0}, Values{1e-6, 10}, std::vector<std::uint32_t>{0});
  EXPECT_DOUBLE_EQ(set.tasks[0].times[1], 0.1);
}

TEST(Judge, TasksWithoutAnAnswerAreNamedAndLeftOut) {
  const JudgedSet set = judged_set(std::vector<std::uint32_t>{0, 1, 1, 2},
                                   Values{1, kFailed, kFailed, 2}, std::vector<std::uint32_t>{0, 1, 3});
  EXPECT_EQ(set.tasks.size(), 1);
  EXPECT_EQ(set.without_answer, (std::vector<std::uint32_t>{1, 3}));  // and 3 has no program at all
}

// A scorer that knows nothing stands exactly where random picks stand on the mean.
TEST(Judge, AConstantScorerIsTheRandomFloor) {
  const Judge judge = judge_of_two({1, 2});
  const Values constant(kSeconds.size(), 0.7);
  const double failed = 10 * kSlowest;
  const double first_pick = (1 + 2 + 4) / 3.0, second_pick = (10 + failed + 30) / 3.0;
  EXPECT_DOUBLE_EQ(value_of(judge, constant, {Family::Pooled, 1}),
                   (3 * 1 + 3 * 10) / (3 * first_pick + 3 * second_pick));
  EXPECT_DOUBLE_EQ(value_of(judge, constant, {Family::Tasks, 1}),
                   ((1 + 0.5 + 0.25) / 3 + (1 + 1e-5 + 10.0 / 30) / 3) / 2);
  EXPECT_DOUBLE_EQ(value_of(judge, constant, {Family::Gap, 1}), 0);
  EXPECT_DOUBLE_EQ(value_of(judge, constant, {Family::Gap, 2}), 0);
  EXPECT_DOUBLE_EQ(value_of(judge, constant, {Family::FarOff, 0}), 1.0 / 3);
  EXPECT_DOUBLE_EQ(value_of(judge, constant, {Family::Pairwise, 0}), 0.5);
  EXPECT_DOUBLE_EQ(value_of(judge, constant, {Family::Rank, 0}), 0);
}

TEST(Judge, RandomScoresComeToTheFloorOnTheMean) {
  const Judge judge = judge_of_two({2});
  const Metric metric{Family::Tasks, 2};
  constexpr int kTimes = 20'000;
  double sum = 0;
  for (int i = 0; i < kTimes; ++i) {
    Random random(7, static_cast<std::uint64_t>(i));
    Values scores;
    for (std::size_t p = 0; p < kSeconds.size(); ++p) scores.push_back(random.unit());
    sum += value_of(judge, scores, metric);
  }
  EXPECT_NEAR(sum / kTimes, value_of(judge, Values(kSeconds.size()), metric), 0.005);
}

TEST(Judge, TrialsAreAGeometricMean) {
  const Judge judge = judge_of_two({1});
  const Values scores = {1, 9, 2,
                         8, 3, 7};  // the best of the first task comes last, of the second first
  EXPECT_DOUBLE_EQ(value_of(judge, scores, {Family::Trials, 95}), std::sqrt(3.0));
}

TEST(Judge, ThePerfectScorerClosesTheGap) {
  const Judge judge = judge_of_two({1});
  const Values perfect = {-1, -10, -2, -1e9, -4, -30};
  for (const Family family : {Family::Pooled, Family::Networks, Family::Tasks, Family::Gap})
    EXPECT_DOUBLE_EQ(value_of(judge, perfect, {family, 1}), 1);
}

}  // namespace
}  // namespace hone::score
