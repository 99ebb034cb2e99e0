#include "tune/scheduler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/random.h"

namespace hone::tune {
namespace {

using Kind = Objective::Kind;

// A task whose latency after t rounds is b + a / t.
struct Curve {
  double a, b;
  double round_s = 1;
  double best_s(int rounds) const { return b + a / rounds; }
};

struct Bench {
  std::vector<SchedulerTask> tasks;
  std::vector<Curve> curves;

  // A task that is expected to take what it takes after the first round.
  SchedulerTask& add(Curve curve, std::vector<TaskUse> uses) {
    curves.push_back(curve);
    SchedulerTask& task = tasks.emplace_back();
    task.expected_s = curve.best_s(1);
    task.uses = std::move(uses);
    return task;
  }
  // One that is alone in its group of network 0.
  SchedulerTask& add(Curve curve, double weight = 1) {
    return add(curve, {{0, 1000 + static_cast<int>(tasks.size()), weight}});
  }
};

struct Played {
  std::vector<int> sequence;
  std::vector<int> rounds;   // a task
  std::vector<double> best;  // a task
  int count(int task) const { return rounds[static_cast<std::size_t>(task)]; }
};

// Until the seconds are spent or the scheduler sees nothing worth a round.
Played play(const Bench& bench, Scheduler& scheduler, double budget_s) {
  Played played{{},
                std::vector<int>(bench.tasks.size(), 0),
                std::vector<double>(bench.tasks.size(), kNotMeasured)};
  for (double spent = 0; spent < budget_s;) {
    const int task = scheduler.next();
    if (task < 0) break;
    const auto place = static_cast<std::size_t>(task);
    const Curve& curve = bench.curves[place];
    played.sequence.push_back(task);
    played.best[place] = curve.best_s(++played.rounds[place]);
    scheduler.report(task, played.best[place], curve.round_s);
    spent += curve.round_s;
  }
  return played;
}

Played play(const Bench& bench, SchedulerKind kind, double budget_s, const Objective& objective = {},
            std::uint64_t seed = 1) {
  return play(bench, *make_scheduler(kind, bench.tasks, objective, seed), budget_s);
}

double latency_of(const Bench& bench, const Played& played) {
  return Networks(bench.tasks).latencies_s(played.best).front();
}

// One round each, then always the largest gain a second, which the curves tell: the best allocation of
// convex curves, up to the last round.
double optimal_latency(const Bench& bench, double budget_s) {
  std::vector<int> rounds(bench.tasks.size(), 1);
  double latency = 0;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    latency += bench.tasks[i].uses.front().weight * bench.curves[i].best_s(1);
    budget_s -= bench.curves[i].round_s;
  }
  while (budget_s > 0) {
    const auto gain = [&](std::size_t i) {
      return bench.tasks[i].uses.front().weight *
             (bench.curves[i].best_s(rounds[i]) - bench.curves[i].best_s(rounds[i] + 1));
    };
    std::size_t best = 0;
    for (std::size_t i = 1; i < rounds.size(); ++i) {
      if (gain(i) / bench.curves[i].round_s > gain(best) / bench.curves[best].round_s) best = i;
    }
    latency -= gain(best);
    budget_s -= bench.curves[best].round_s;
    ++rounds[best];
  }
  return latency;
}

// Many unequal tasks; `prices` apart: how much dearer the dearest round may be than the cheapest.
Bench random_bench(std::uint64_t seed, double prices) {
  Random random(seed, 0);
  Bench bench;
  for (int i = 0; i < 20; ++i) {
    const double latency = std::pow(100, random.unit());
    const double share = 0.2 + 0.6 * random.unit();  // that tuning takes away after the first round
    const double round_s = std::pow(prices, random.unit());
    bench.add({latency * share, latency * (1 - share), round_s},
              static_cast<double>(1 + random.below(6)));
  }
  return bench;
}

// How much of what the best allocation gains after the first rounds; over several benches.
double share_of_optimum(SchedulerKind kind, double prices) {
  double gained = 0, could = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Bench bench = random_bench(seed, prices);
    double first = 0, warm_up_s = 0;
    for (std::size_t i = 0; i < bench.tasks.size(); ++i) {
      first += bench.tasks[i].uses.front().weight * bench.curves[i].best_s(1);
      warm_up_s += bench.curves[i].round_s;
    }
    const double budget_s = 3 * warm_up_s;
    gained += first - latency_of(bench, play(bench, kind, budget_s, {}, seed));
    could += first - optimal_latency(bench, budget_s);
  }
  return gained / could;
}

TEST(Scheduler, BeginsWithTheDearest) {
  Bench bench;
  bench.add({1, 1}, 1);
  bench.add({1, 4}, 1);
  bench.add({1, 1}, 9);
  EXPECT_EQ(play(bench, SchedulerKind::Gradient, 3).sequence, (std::vector<int>{2, 1, 0}));
}

TEST(Scheduler, BeginsWithTheMostPromisingAlternatives) {
  Bench bench;
  bench.add({0, 10}, {{0, 0, 1}});
  bench.add({0, 9}, {{0, 0, 1}});
  bench.add({0, 27}, {{0, 0, 1}});
  bench.add({0, 5}, {{0, 1, 1}});
  bench.add({0, 2}, {{0, 2, 1}});
  // Stakes: 9, then a half of nine tenths of it, and a third of a third.
  EXPECT_EQ(play(bench, SchedulerKind::Gradient, 5).sequence, (std::vector<int>{1, 3, 0, 4, 2}));
}

TEST(Scheduler, FollowsTheGradient) {
  Bench bench;
  bench.add({8, 2}, 1);
  bench.add({2, 2.3}, 2);
  bench.add({1, 1}, 1);
  // The gains that Ansor's formula gives, worked out by hand: of task 0 after 1, 2, ... rounds 8, 2.4,
  // 1.244, 1.2, 0.736, of task 1 6.88, 2.64, 1.582, 1.32, 0.944, 0.747, of task 2 1.6, 0.6.
  EXPECT_EQ(play(bench, SchedulerKind::Ansor, 14).sequence,
            (std::vector<int>{0, 1, 2, 0, 1, 1, 0, 2, 1, 1, 0, 0, 1, 1}));
}

TEST(Scheduler, ComesNearTheBestAllocation) {
  EXPECT_GT(share_of_optimum(SchedulerKind::Gradient, 1), 0.97);
  EXPECT_GT(share_of_optimum(SchedulerKind::Ansor, 1), 0.95);
  EXPECT_LT(share_of_optimum(SchedulerKind::RoundRobin, 1), 0.9);
  EXPECT_LT(share_of_optimum(SchedulerKind::Random, 1), 0.75);
}

TEST(Scheduler, CountsSecondsWhereRoundsDifferInPrice) {
  const double gradient = share_of_optimum(SchedulerKind::Gradient, 50);
  EXPECT_GT(gradient, 0.97);
  EXPECT_GT(gradient, share_of_optimum(SchedulerKind::Ansor, 50) + 0.04);
}

TEST(Scheduler, ExpectsLittleWhereHopesWereDisappointed) {
  Bench bench;
  for (int i = 0; i < 5; ++i) bench.add({0, 10}).tag = "at the peak";
  for (int i = 0; i < 5; ++i) bench.add({5, 5}).tag = "slow so far";
  const auto rounds_for_slow_ones = [&](SchedulerKind kind) {
    const Played played = play(bench, kind, 60);
    return std::accumulate(played.rounds.begin() + 5, played.rounds.end(), 0);
  };
  EXPECT_LT(rounds_for_slow_ones(SchedulerKind::Ansor), 30);
  EXPECT_GT(rounds_for_slow_ones(SchedulerKind::Gradient), 40);
}

TEST(Scheduler, LeavesNetworksAloneThatAreFastEnough) {
  Bench bench;
  bench.add({10, 10}, {{0, 0, 1}});
  bench.add({1, 1}, {{1, 0, 1}});
  const Objective objective{.kind = Kind::Requirements, .requirement_s = {12, 1.3}, .reference_s = {}};
  const Played played = play(bench, SchedulerKind::Gradient, 100, objective);
  EXPECT_EQ(played.rounds, (std::vector<int>{5, 4}))
      << "the first rounds with 10 / t <= 2 and 1 / t <= 0.3";
}

TEST(Scheduler, GivesSmallNetworksTheirShareOfSpeedUps) {
  Bench bench;
  bench.add({50, 50}, {{0, 0, 1}});
  bench.add({0.5, 0.5}, {{1, 0, 1}});
  const Played sum = play(bench, SchedulerKind::Gradient, 40);
  EXPECT_GE(sum.count(0), 38);
  const Objective objective{.kind = Kind::Speedup, .requirement_s = {}, .reference_s = {100, 1}};
  const Played speed_up = play(bench, SchedulerKind::Gradient, 40, objective);
  EXPECT_EQ(speed_up.rounds, (std::vector<int>{20, 20}));
}

TEST(Scheduler, StopsNetworksThatDoNotImprove) {
  Bench bench;
  bench.add({0, 50}, {{0, 0, 1}});
  bench.add({1, 1}, {{1, 0, 1}});
  const Objective objective{
      .kind = Kind::EarlyStop, .requirement_s = {}, .reference_s = {}, .patience = 6};
  const Played played = play(bench, SchedulerKind::Gradient, 1000, objective);
  EXPECT_EQ(played.count(0), 1 + 6);
  // 1 / t - 1 / (t + 6) falls below a thousandth of the latency after 77 rounds.
  EXPECT_NEAR(played.count(1), 77 + 6, 6);
}

TEST(Scheduler, GivesNoRoundToWhatCannotWin) {
  Bench bench;
  bench.add({1, 4}, {{0, 0, 1}});
  bench.add({4, 10}, {{0, 0, 1}}).floor_s = 5;
  bench.add({1, 2}, {{0, 1, 1}});
  const Played played = play(bench, SchedulerKind::Gradient, 30);
  EXPECT_EQ(played.count(1), 0);
  EXPECT_EQ(played.count(0) + played.count(2), 30);
}

TEST(Scheduler, LetsAnAlternativeCatchUp) {
  Bench bench;
  bench.add({1, 9}, {{0, 0, 1}});
  bench.add({8, 4}, {{0, 0, 1}});    // 12 at first, 8 after the second round
  bench.add({10, 40}, {{0, 0, 1}});  // 50 at first
  const Played played = play(bench, SchedulerKind::Gradient, 40);
  EXPECT_GE(played.count(1), 25);
  EXPECT_LE(played.count(0), 12);
  EXPECT_LE(played.count(2), 2);
}

TEST(Scheduler, CountsWhatAnOptionCostsElsewhere) {
  Bench bench;
  bench.add({0, 10}, {{0, 0, 1, 0}}).floor_s = 10;
  bench.add({0, 6}, {{0, 0, 1, 5, 1}}).floor_s = 5;
  EXPECT_EQ(play(bench, SchedulerKind::Gradient, 10).rounds, (std::vector<int>{1, 0}))
      << "at its floor it would be as fast";
}

TEST(Scheduler, AddsUpTheUsesOfASharedTask) {
  Bench bench;
  bench.add({4, 6}, {{0, 0, 1}, {1, 0, 3}});
  bench.add({4, 6}, {{0, 1, 1}});
  const Played played = play(bench, SchedulerKind::Ansor, 50);
  EXPECT_NEAR(played.count(0), 40, 2) << "rounds go as latency";
}

TEST(Scheduler, ExpectsAsMuchOfATaskAsOfThoseLikeIt) {
  Bench bench;
  bench.add({0, 10}).flops = 100;
  bench.add({0, 10}).flops = 10;
  bench.add({0, 10}).flops = 10;
  const Played apart = play(bench, SchedulerKind::Ansor, 30);
  EXPECT_EQ(apart.rounds, (std::vector<int>{10, 10, 10}));
  bench.tasks[0].tag = bench.tasks[1].tag = "alike";
  // The second one runs at a tenth of the first one's rate, until it had over five rounds more.
  EXPECT_EQ(play(bench, SchedulerKind::Ansor, 12).rounds, (std::vector<int>{2, 8, 2}));
  EXPECT_EQ(play(bench, SchedulerKind::Ansor, 14).rounds, (std::vector<int>{3, 8, 3}));
}

TEST(Scheduler, TakesWhatIsFinishedOutOfTheTurn) {
  Bench bench;
  for (int i = 0; i < 3; ++i) bench.add({1, 1});
  for (const SchedulerKind kind : {SchedulerKind::Gradient, SchedulerKind::Ansor,
                                   SchedulerKind::RoundRobin, SchedulerKind::Random}) {
    const auto scheduler = make_scheduler(kind, bench.tasks, {}, 1);
    scheduler->finish(1);
    const Played played = play(bench, *scheduler, 20);
    EXPECT_EQ(played.count(1), 0);
    EXPECT_GT(played.count(0), 3);
    scheduler->finish(0);
    scheduler->finish(2);
    EXPECT_EQ(scheduler->next(), -1);
  }
}

TEST(Scheduler, HandsOutRoundsBeforeTheLastOnesAreReported) {
  Bench bench;
  for (int i = 0; i < 4; ++i) bench.add({1, 1});
  const auto scheduler = make_scheduler(SchedulerKind::Gradient, bench.tasks, {}, 1);
  std::vector<int> rounds(4, 0);
  for (int i = 0; i < 12; ++i) ++rounds[static_cast<std::size_t>(scheduler->next())];
  EXPECT_EQ(rounds, (std::vector<int>(4, 3)));
}

TEST(Scheduler, GoesOnFromEarlierRounds) {
  Bench bench;
  for (int i = 0; i < 4; ++i) bench.add({4.0 + i, 1});
  const auto first = make_scheduler(SchedulerKind::Gradient, bench.tasks, {}, 1);
  const Played before = play(bench, *first, 17);
  const auto resumed = make_scheduler(SchedulerKind::Gradient, bench.tasks, {}, 1);
  std::vector<int> rounds(4, 0);
  for (const int task : before.sequence) {
    const auto place = static_cast<std::size_t>(task);
    resumed->report(task, bench.curves[place].best_s(++rounds[place]), 1);
  }
  for (int i = 0; i < 10; ++i) EXPECT_EQ(resumed->next(), first->next());
}

TEST(Scheduler, TriesAgainWhatHadNoGoodTrial) {
  Bench bench;
  bench.add({1, 1});
  bench.add({1, 1});
  const auto scheduler = make_scheduler(SchedulerKind::Gradient, bench.tasks, {}, 1);
  for (int i = 0; i < 2; ++i) {
    const int task = scheduler->next();
    scheduler->report(task, task == 0 ? kNotMeasured : 2, 1);
  }
  std::vector<int> rounds(2, 0);
  for (int i = 0; i < 8; ++i) {
    const int task = scheduler->next();
    ++rounds[static_cast<std::size_t>(task)];
    scheduler->report(task, task == 0 ? kNotMeasured : 2, 1);
  }
  EXPECT_EQ(rounds, (std::vector<int>{4, 4}));
}

TEST(Scheduler, IsRandomBySeed) {
  Bench bench;
  for (int i = 0; i < 5; ++i) bench.add({1, 1});
  const auto played = [&](std::uint64_t seed) {
    return play(bench, SchedulerKind::Random, 200, {}, seed);
  };
  EXPECT_EQ(played(1).sequence, played(1).sequence);
  EXPECT_NE(played(1).sequence, played(2).sequence);
  for (int task = 0; task < 5; ++task) EXPECT_NEAR(played(3).count(task), 40, 20);
}

TEST(Scheduler, RefusesObjectivesThatLackANetwork) {
  Bench bench;
  bench.add({1, 1}, {{1, 0, 1}});
  const Objective objective{.kind = Kind::Speedup, .requirement_s = {}, .reference_s = {1}};
  EXPECT_THROW(make_scheduler(SchedulerKind::Gradient, bench.tasks, objective, 1), InternalError);
}

}  // namespace
}  // namespace hone::tune
