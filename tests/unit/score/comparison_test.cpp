#include "score/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"

namespace hone::score {
namespace {

using Values = std::vector<double>;
constexpr std::size_t kTasks = 60, kPrograms = 20;

// Tasks of random times; what a scorer knows of them is -log(time) and an error.
struct World {
  Values seconds;
  Judge judge;

  static World make() {
    std::vector<std::uint32_t> task_of, wanted;
    Values seconds;
    for (std::uint32_t task = 0; task < kTasks; ++task) {
      wanted.push_back(task);
      for (std::size_t i = 0; i < kPrograms; ++i) {
        task_of.push_back(task);
        Random random(1, seconds.size());
        seconds.push_back(std::exp(4 * random.unit()));
      }
    }
    return {seconds, Judge(judged_set(task_of, seconds, wanted), {1, 5})};
  }
  std::vector<Verdict> scored(double error, std::uint64_t seed) const {
    Values scores;
    for (std::size_t i = 0; i < seconds.size(); ++i)
      scores.push_back(-std::log(seconds[i]) + error * (Random(seed, i).unit() - 0.5));
    return judge.judge(scores);
  }
};

std::vector<std::size_t> all_tasks() {
  std::vector<std::size_t> all(kTasks);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::size_t place_of(const Judge& judge, Metric metric) {
  return static_cast<std::size_t>(std::ranges::find(judge.metrics(), metric) - judge.metrics().begin());
}

TEST(Comparison, IntervalsHoldTheValueAndSeedsTheirMean) {
  const World world = World::make();
  const std::vector<Contestant> one = {{"noisy", {world.scored(2, 10), world.scored(2, 11)}}};
  const Standing standing = compare(world.judge, one, all_tasks()).front();
  const std::size_t tasks = place_of(world.judge, {Family::Tasks, 1});
  const Values counts(kTasks, 1);
  const double first = world.judge.summarise(one[0].seeds[0], counts)[tasks];
  const double second = world.judge.summarise(one[0].seeds[1], counts)[tasks];
  const Estimate& estimate = standing.estimates[tasks];
  EXPECT_DOUBLE_EQ(estimate.value, (first + second) / 2);
  EXPECT_DOUBLE_EQ(estimate.seed_deviation, std::abs(first - second) / std::sqrt(2.0));
  EXPECT_LT(estimate.low, estimate.value);
  EXPECT_GT(estimate.high, estimate.value);
}

TEST(Comparison, TellsApartWhatDiffers) {
  const World world = World::make();
  const std::vector<Contestant> all = {{"good", {world.scored(1, 10)}}, {"bad", {world.scored(8, 12)}}};
  const std::vector<Standing> standings = compare(world.judge, all, all_tasks());
  const std::size_t tasks = place_of(world.judge, {Family::Tasks, 1});
  EXPECT_TRUE(contains_zero(standings[0].behind_best[tasks]));  // the best itself
  EXPECT_LT(standings[1].behind_best[tasks].high, 0);
  const std::size_t lost = place_of(world.judge, {Family::FarOff, 0});
  EXPECT_GT(standings[1].behind_best[lost].low, 0);  // more lost picks than the best
}

// An interval of 95 % may miss one time in twenty.
TEST(Comparison, SeldomTellsApartWhatIsAlike) {
  const World world = World::make();
  const std::size_t tasks = place_of(world.judge, {Family::Tasks, 1});
  int told_apart = 0;
  for (std::uint64_t pair = 0; pair < 20; ++pair) {
    const std::vector<Contestant> two = {{"one", {world.scored(2, 100 + pair)}},
                                         {"other", {world.scored(2, 200 + pair)}}};
    const auto standings = compare(world.judge, two, all_tasks(), {.draws = 200});
    for (const Standing& standing : standings)
      told_apart += contains_zero(standing.behind_best[tasks]) ? 0 : 1;
  }
  EXPECT_LE(told_apart, 3);
}

TEST(Comparison, APartIsJudgedByItsTasksAlone) {
  const World world = World::make();
  const std::vector<Contestant> one = {{"noisy", {world.scored(3, 10)}}};
  const std::vector<std::size_t> part = {3, 5, 8};
  Values counts(kTasks);
  for (const std::size_t task : part) counts[task] = 1;
  const std::size_t pooled = place_of(world.judge, {Family::Pooled, 1});
  EXPECT_DOUBLE_EQ(compare(world.judge, one, part)[0].estimates[pooled].value,
                   world.judge.summarise(one[0].seeds[0], counts)[pooled]);
}

TEST(Comparison, TheSameSeedGivesTheSameIntervals) {
  const World world = World::make();
  const std::vector<Contestant> one = {{"noisy", {world.scored(3, 10)}}};
  const auto low = [&](std::uint64_t seed) {
    return compare(world.judge, one, all_tasks(), {.draws = 100, .seed = seed})[0].estimates[0].low;
  };
  EXPECT_DOUBLE_EQ(low(1), low(1));
  EXPECT_NE(low(1), low(2));
}

}  // namespace
}  // namespace hone::score
