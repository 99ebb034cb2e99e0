// The stopwatch on a clock of its own: every call takes as long as the test says.
#include "worker/timing.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hone::worker {
namespace {

struct Machine {
  double now = 0;
  int calls = 0;
  int before = 0, after = 0;
  std::vector<double> call_s;  // the last one lasts for ever

  Stopwatch watch() {
    Stopwatch watch;
    watch.run = [this](int count) {
      for (int i = 0; i < count; ++i) {
        now += call_s[std::min<std::size_t>(static_cast<std::size_t>(calls), call_s.size() - 1)];
        ++calls;
      }
    };
    watch.clock = [this] { return now; };
    watch.before = [this] { ++before; };
    watch.after = [this](double) { ++after; };
    return watch;
  }
};

Times time_of(Machine& machine, const Timing& timing, double first_call_s) {
  return time_kernel(machine.watch(), timing, first_call_s);
}

TEST(Timing, LongKernelsThatAgreeAreRunThreeTimes) {
  Machine machine{.call_s = {10e-3}};
  const Times times = time_of(machine, {}, 11e-3);
  EXPECT_EQ(times.seconds.size(), 3u);
  EXPECT_EQ(machine.calls, 3);
  EXPECT_NEAR(times.noise, 0, 1e-9);
}

TEST(Timing, DisagreementTakesFiveRuns) {
  Machine machine{.call_s = {10e-3, 12e-3, 14e-3, 16e-3, 18e-3, 20e-3}};
  const Times times = time_of(machine, {}, 11e-3);
  EXPECT_EQ(times.seconds.size(), 5u);
  EXPECT_NEAR(times.noise, 0.4, 1e-9);
}

TEST(Timing, ShortKernelsUseTheirBudgetInSamplesOfManyCalls) {
  Machine machine{.call_s = {1e-6}};
  const Times times = time_of(machine, {}, 50e-6);  // the first call overstates
  EXPECT_NEAR(times.seconds.front(), 1e-6, 1e-9);
  EXPECT_NEAR(static_cast<double>(times.seconds.size()), 30, 2);  // 3 ms in samples of 0.1 ms
  EXPECT_GT(machine.calls, 2900);
}

TEST(Timing, ShortKernelsWithColdConstantsAreRunAHundredTimes) {
  Machine machine{.call_s = {1e-6}};
  EXPECT_EQ(time_of(machine, {.cold_constants = true}, 1e-6).seconds.size(), 100u);
  EXPECT_EQ(machine.before, 100);
}

TEST(Timing, ALoserIsStoppedAfterTwoRuns) {
  Machine machine{.call_s = {14e-3}};
  EXPECT_EQ(time_of(machine, {.best_s = 10e-3}, 14.5e-3).seconds.size(), 2u);
  Machine contender{.call_s = {12e-3}};
  EXPECT_GE(time_of(contender, {.best_s = 10e-3}, 14.5e-3).seconds.size(), 3u);
}

TEST(Timing, AHopelessOneIsRunOnce) {
  Machine machine{.call_s = {20e-3}};
  EXPECT_EQ(time_of(machine, {.best_s = 1e-3}, 21e-3).seconds.size(), 1u);
}

// Only the first call was slow: it must not cost a winner its samples.
TEST(Timing, WhereWantedTheFirstCallOfAHopelessOneIsItsTime) {
  Machine machine{.call_s = {100e-3}};
  Timing timing{.best_s = 1e-3, .hopeless_ratio = 10};
  EXPECT_EQ(time_of(machine, timing, 100e-3).seconds, std::vector{100e-3});
  EXPECT_EQ(machine.calls, 0);
  Machine faster{.call_s = {40e-3}};
  timing.best_s = 20e-3;  // slow, but by less than ten times
  EXPECT_GT(time_of(faster, timing, 45e-3).seconds.size(), 0u);
  EXPECT_EQ(faster.calls, 1);
  Machine quick{.call_s = {20e-6}};  // a short kernel's first call says little
  timing.best_s = 10e-6;
  EXPECT_NEAR(time_of(quick, timing, 150e-6).seconds.front(), 20e-6, 1e-9);
}

TEST(Timing, VeryLongKernelsAreRunNoMoreOftenThanTheyMatter) {
  const auto runs = [](double call_s, double best_s) {
    Machine machine{.call_s = {call_s}};
    time_of(machine, {.best_s = best_s}, call_s);
    return machine.calls;
  };
  EXPECT_EQ(runs(0.41, 0.2), 0) << "the first call has said it";
  EXPECT_EQ(runs(0.35, 0.2), 1) << "it may have been disturbed";
  EXPECT_EQ(runs(0.22, 0.2), 2) << "slower, and that is known";
  EXPECT_EQ(runs(0.2, 0.2), 3);
  EXPECT_EQ(runs(0.4, 0), 3) << "the first of all";
}

TEST(Timing, ASlowFirstCallDoesNotCondemn) {
  Machine machine{.call_s = {0.9e-3}};
  EXPECT_GE(time_of(machine, {.best_s = 1e-3}, 9e-3).seconds.size(), 3u);
}

TEST(Timing, AShortKernelIsJudgedWhenItIsWarm) {
  Machine machine{.call_s = {280e-6, 210e-6, 170e-6, 170e-6, 125e-6, 115e-6, 100e-6}};
  const Times times = time_of(machine, {.best_s = 95e-6}, 400e-6);
  EXPECT_NEAR(*std::ranges::min_element(times.seconds), 100e-6, 1e-9);
  Machine loser{.call_s = {280e-6}};
  EXPECT_EQ(time_of(loser, {.best_s = 95e-6}, 400e-6).seconds.size(), 8u) << "2 ms of them";
}

TEST(Timing, NothingIsDecidedWhileCallsBecomeFaster) {
  Machine machine{.call_s = {850e-6, 664e-6, 464e-6, 470e-6, 330e-6, 291e-6, 276e-6, 270e-6}};
  const Times times = time_of(machine, {.best_s = 265e-6}, 2e-3);
  EXPECT_NEAR(*std::ranges::min_element(times.seconds), 270e-6, 1e-9);
  Machine settled{.call_s = {850e-6, 664e-6, 600e-6}};
  EXPECT_EQ(time_of(settled, {.best_s = 265e-6}, 2e-3).seconds.size(), 5u) << "two that bring nothing";
  Machine hopeless{.call_s = {4.9e-3, 4.5e-3, 4e-3, 3.5e-3, 3e-3}};
  EXPECT_EQ(time_of(hopeless, {.best_s = 265e-6}, 5e-3).seconds.size(), 1u);
  Machine falling{.call_s = {4.9e-3, 4.7e-3, 4.5e-3, 4.3e-3, 4.1e-3, 3.9e-3, 3.7e-3}};
  EXPECT_EQ(time_of(falling, {.best_s = 2e-3}, 5e-3).seconds.size(), 5u) << "20 ms are enough";
}

TEST(Timing, ColdRunsAreSingleCallsWithAFlushBeforeEach) {
  Machine machine{.call_s = {10e-6}};
  const Times times = time_of(machine, {.cold_constants = true}, 10e-6);
  EXPECT_EQ(static_cast<std::size_t>(machine.calls), times.seconds.size());
  EXPECT_EQ(machine.before, machine.calls);
  EXPECT_EQ(machine.after, machine.calls);
}

}  // namespace
}  // namespace hone::worker
