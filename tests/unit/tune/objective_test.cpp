#include "tune/objective.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hone::tune {
namespace {

using Kind = Objective::Kind;

SchedulerTask task_of(double expected_s, std::vector<TaskUse> uses) {
  SchedulerTask task;
  task.expected_s = expected_s;
  task.uses = std::move(uses);
  return task;
}

TEST(Networks, WeighsTasksAndSharesThem) {
  const std::vector<SchedulerTask> tasks = {task_of(1, {{0, 0, 2}}), task_of(1, {{0, 1, 3}, {1, 0, 5}}),
                                            task_of(1, {{1, 1, 1}})};
  const Networks networks(tasks);
  EXPECT_EQ(networks.latencies_s(std::vector<double>{10, 100, 1000}),
            (std::vector<double>{2 * 10 + 3 * 100, 5 * 100 + 1000}));
}

TEST(Networks, TakeTheFastestOptionWithWhatItCostsElsewhere) {
  const std::vector<SchedulerTask> tasks = {task_of(1, {{0, 0, 2, 0}}), task_of(1, {{0, 0, 2, 3, 1}})};
  const Networks networks(tasks);
  EXPECT_EQ(networks.latencies_s(std::vector<double>{10, 8}).front(), 2 * 10);
  EXPECT_EQ(networks.latencies_s(std::vector<double>{10, 6}).front(), 2 * (6 + 3));
  EXPECT_TRUE(networks.would_be_taken(1, 6.9, std::vector<double>{10, 8}));
  EXPECT_FALSE(networks.would_be_taken(1, 7, std::vector<double>{10, 8}));
}

TEST(Networks, TakeOneTaskOrTheSumOfItsParts) {
  // One task against two, the second of which can be worked out in two ways.
  const std::vector<SchedulerTask> tasks = {
      task_of(4, {{0, 0, 3, 0, 0, 0}}), task_of(1, {{0, 0, 3, 0, 1, 0}}),
      task_of(2, {{0, 0, 3, 0, 1, 1}}), task_of(2, {{0, 0, 3, 0, 1, 1}})};
  const Networks networks(tasks);
  EXPECT_EQ(networks.latencies_s(std::vector<double>{10, 4, 7, 5}).front(), 3 * 9);
  EXPECT_EQ(networks.latencies_s(std::vector<double>{10, 6, 7, 5}).front(), 3 * 10);
  const std::vector<double> one_part = {10, 4, kNotMeasured, kNotMeasured};
  EXPECT_EQ(networks.latencies_s(one_part).front(), 3 * 10) << "a part is not the whole";
  EXPECT_TRUE(networks.would_be_taken(2, 5.9, one_part));
  EXPECT_FALSE(networks.would_be_taken(2, 6, one_part));
  EXPECT_TRUE(networks.would_be_taken(
      1, 9.9, std::vector<double>{10, kNotMeasured, kNotMeasured, kNotMeasured}));
  // Of what is expected to take 3 the first part has one third.
  const std::vector<double> nothing(4, kNotMeasured);
  EXPECT_DOUBLE_EQ(networks.stake_s(1, nothing, {false, false, false, false}), 3 * 3 / 3.0);
  EXPECT_DOUBLE_EQ(networks.stake_s(1, nothing, {true, false, false, false}), 3 * 3 / 3.0 / 2);
  EXPECT_DOUBLE_EQ(networks.stake_s(0, nothing, {false, false, false, false}), 3 * 3 * 3.0 / 4);
}

TEST(Networks, ExpectWhatIsNotMeasured) {
  const std::vector<SchedulerTask> tasks = {task_of(7, {{0, 0}}), task_of(5, {{0, 0}}),
                                            task_of(3, {{0, 1}})};
  const Networks networks(tasks);
  const std::vector<double> nothing(3, kNotMeasured);
  EXPECT_EQ(networks.latencies_s(nothing).front(), 5 + 3);
  // A measured alternative counts, even where another one was expected to be faster.
  EXPECT_EQ(networks.latencies_s(std::vector<double>{6, kNotMeasured, kNotMeasured}).front(), 6 + 3);
  EXPECT_TRUE(networks.would_be_taken(2, 100, nothing));
}

TEST(Networks, StakeLessOnFurtherAlternatives) {
  const std::vector<SchedulerTask> tasks = {task_of(8, {{0, 0, 2}}), task_of(6, {{0, 0, 2}}),
                                            task_of(3, {{0, 1}})};
  const Networks networks(tasks);
  const std::vector<double> nothing(3, kNotMeasured);
  EXPECT_EQ(networks.stake_s(1, nothing, {false, false, false}), 2 * 6);
  EXPECT_EQ(networks.stake_s(0, nothing, {false, false, false}), 2 * 6 * 6.0 / 8);
  EXPECT_EQ(networks.stake_s(0, nothing, {false, true, false}), 2 * 6 * 6.0 / 8 / 2);
  EXPECT_EQ(
      networks.stake_s(0, std::vector<double>{kNotMeasured, 4, kNotMeasured}, {false, true, false}),
      2 * 4 * 4.0 / 8 / 2);
  EXPECT_EQ(networks.stake_s(2, nothing, {true, true, false}), 3);
}

TEST(Objective, SumsLatencies) {
  EXPECT_EQ(value_of({}, std::vector<double>{2, 3}, std::vector<double>{0, 0}), 5);
}

TEST(Objective, CountsNothingBelowARequirement) {
  const Objective objective{.kind = Kind::Requirements, .requirement_s = {4, 1}, .reference_s = {}};
  const std::vector<double> stopped(2, 0);
  EXPECT_EQ(value_of(objective, std::vector<double>{5, 3}, stopped), 5 + 3);
  EXPECT_EQ(value_of(objective, std::vector<double>{3, 3}, stopped), 4 + 3);
  EXPECT_EQ(value_of(objective, std::vector<double>{2, 3}, stopped), 4 + 3);
}

TEST(Objective, IsTheGeometricMeanOfSpeedUps) {
  const Objective objective{.kind = Kind::Speedup, .requirement_s = {}, .reference_s = {8, 18}};
  EXPECT_DOUBLE_EQ(value_of(objective, std::vector<double>{2, 2}, std::vector<double>{0, 0}), -6);
}

TEST(Objective, KeepsTheLatencyOfStoppedNetworks) {
  const Objective objective{.kind = Kind::EarlyStop, .requirement_s = {}, .reference_s = {}};
  const std::vector<double> stopped = {4, 0};
  EXPECT_EQ(value_of(objective, std::vector<double>{4, 3}, stopped), 7);
  EXPECT_EQ(value_of(objective, std::vector<double>{1, 2}, stopped), 6);
}

}  // namespace
}  // namespace hone::tune
