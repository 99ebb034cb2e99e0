#include "runtime/pool.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

namespace hone::runtime {
namespace {

struct Slice {
  std::int64_t begin, end, thread;
};

struct Seen {
  std::mutex mutex;
  std::vector<Slice> slices;
};

void note_slice(void* context, std::int64_t begin, std::int64_t end, std::int64_t thread) {
  auto& seen = *static_cast<Seen*>(context);
  const std::lock_guard lock(seen.mutex);
  seen.slices.push_back({begin, end, thread});
}

std::vector<Slice> slices_of(Pool& pool, std::int64_t extent) {
  Seen seen;
  pool.run(&note_slice, &seen, extent);
  std::sort(seen.slices.begin(), seen.slices.end(),
            [](const Slice& a, const Slice& b) { return a.begin < b.begin; });
  return seen.slices;
}

TEST(Pool, PiecesAreContiguousAndBalanced) {
  Pool pool({.threads = 3});
  ASSERT_EQ(pool.threads(), 3);
  for (const std::int64_t extent : {1, 2, 3, 4, 5, 100, 1001}) {
    const std::vector<Slice> slices = slices_of(pool, extent);
    std::int64_t next = 0, longest = 0;
    for (const Slice& slice : slices) {
      EXPECT_EQ(slice.begin, next);
      next = slice.end;
      longest = std::max(longest, slice.end - slice.begin);
      EXPECT_LT(slice.thread, 3);
    }
    EXPECT_EQ(next, extent);
    EXPECT_EQ(slices.size(), static_cast<std::size_t>(std::min<std::int64_t>(extent, 6)));
    EXPECT_LE(longest, extent / 6 + 1) << extent;
  }
}

TEST(Pool, HugeExtentsDoNotOverflow) {
  Pool pool({.threads = 3});
  const std::int64_t extent = std::numeric_limits<std::int64_t>::max();
  const std::vector<Slice> slices = slices_of(pool, extent);
  ASSERT_EQ(slices.size(), 6u);
  EXPECT_EQ(slices.back().end, extent);
}

// A region in which no thread gets on before all have begun: each of them runs one element.
class Together {
 public:
  explicit Together(Pool& pool, std::function<void(std::int64_t thread)> action = {})
      : threads_(pool.threads()), action_(std::move(action)) {
    pool.run(&Together::meet, this, threads_);
  }

 private:
  static void meet(void* context, std::int64_t, std::int64_t, std::int64_t thread) {
    auto& self = *static_cast<Together*>(context);
    if (self.action_) self.action_(thread);
    for (++self.met_; self.met_ < self.threads_;) sched_yield();
  }
  int threads_;
  std::function<void(std::int64_t)> action_;
  std::atomic<int> met_{0};
};

// Were halves fixed, this would never end.
TEST(Pool, AThreadThatIsLateHoldsUpOnePieceOnly) {
  Pool pool({.threads = 2});
  struct Late {
    std::atomic<int> done{0};
  } late;
  for (int region = 0; region < 100; ++region) {
    late.done = 0;
    pool.run(
        [](void* context, std::int64_t begin, std::int64_t end, std::int64_t thread) {
          auto& seen = *static_cast<Late*>(context);
          ASSERT_EQ(end, begin + 1);
          while (thread == 1 && seen.done < 3) sched_yield();
          ++seen.done;
        },
        &late, 4);
    ASSERT_EQ(late.done, 4);
  }
}

TEST(Pool, AnEmptyRegionCallsNobody) {
  Pool pool({.threads = 2});
  EXPECT_TRUE(slices_of(pool, 0).empty());
  EXPECT_TRUE(slices_of(pool, -5).empty());
}

TEST(Pool, TheCallerIsThreadZero) {
  Pool pool({.threads = 2});
  std::array<pid_t, 2> ids{};
  Together(pool, [&](std::int64_t thread) { ids[static_cast<std::size_t>(thread)] = gettid(); });
  EXPECT_EQ(ids[0], gettid());
  EXPECT_NE(ids[1], gettid());
  EXPECT_NE(ids[1], 0);
}

// Every region sees the writes of the one before it, awake or asleep.
TEST(Pool, RegionsFollowEachOther) {
  for (const PoolOptions& options : {PoolOptions{.threads = 2}, PoolOptions{.threads = 2, .spin_us = 0},
                                     PoolOptions{.threads = 5}}) {
    Pool pool(options);
    std::vector<std::int64_t> values(257, 0);
    constexpr int kRegions = 2000;
    for (int region = 0; region < kRegions; ++region) {
      pool.run(
          [](void* context, std::int64_t begin, std::int64_t end, std::int64_t) {
            auto& cells = *static_cast<std::vector<std::int64_t>*>(context);
            for (std::int64_t i = begin; i < end; ++i) ++cells[(i * 7) % 257];
          },
          &values, 257);
    }
    for (const std::int64_t value : values) ASSERT_EQ(value, kRegions);
  }
}

TEST(Pool, WakesThreadsThatFellAsleep) {
  Pool pool({.threads = 2, .spin_us = 100});
  for (int i = 0; i < 20; ++i) {
    usleep(2000);
    std::atomic<int> woken{0};
    Together(pool, [&](std::int64_t thread) { woken += thread == 1; });
    EXPECT_EQ(woken, 1);
  }
}

TEST(Pool, ARegionInsideARegionRunsSeriallyOnItsThread) {
  Pool pool({.threads = 2});
  std::array<std::vector<Slice>, 2> inner;
  Together(pool,
           [&](std::int64_t thread) { inner[static_cast<std::size_t>(thread)] = slices_of(pool, 10); });
  for (const std::int64_t thread : {0, 1}) {
    const std::vector<Slice>& slices = inner[static_cast<std::size_t>(thread)];
    ASSERT_EQ(slices.size(), 1u);
    EXPECT_EQ(slices[0].begin, 0);
    EXPECT_EQ(slices[0].end, 10);
    EXPECT_EQ(slices[0].thread, thread);
  }
}

TEST(Pool, TwoProgramThreadsMayShareIt) {
  Pool pool({.threads = 2});
  std::array<std::atomic<std::int64_t>, 2> sums{};
  const auto work = [&](int which) {
    for (int i = 0; i < 2000; ++i) {
      pool.run(
          [](void* context, std::int64_t begin, std::int64_t end, std::int64_t) {
            static_cast<std::atomic<std::int64_t>*>(context)->fetch_add(end - begin);
          },
          &sums[which], 10);
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  EXPECT_EQ(sums[0], 20000);
  EXPECT_EQ(sums[1], 20000);
}

TEST(Pool, PinsToTheProcessorsItIsGiven) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &before)) cpus.push_back(cpu);
  }
  if (cpus.size() < 2) GTEST_SKIP() << "one processor only";
  std::array<int, 2> where{-1, -1};
  const std::array<int, 2> wanted{cpus[1], cpus[0]};
  {
    Pool pool({.threads = 2, .cpus = wanted});
    Together(pool,
             [&](std::int64_t thread) { where[static_cast<std::size_t>(thread)] = sched_getcpu(); });
  }
  sched_setaffinity(0, sizeof before, &before);
  EXPECT_EQ(where, wanted);
}

// Two threads of one priority on one processor: with unbounded spinning neither would ever finish.
void share_a_processor(bool& permitted) {
  const sched_param priority{.sched_priority = 10};
  permitted = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) == 0;
  if (!permitted) return;
  const int cpu = sched_getcpu();
  Pool moved({.threads = 2});  // believes that it has two processors
  Together(moved, [cpu](std::int64_t) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);
  });
  for (int i = 0; i < 20; ++i) EXPECT_EQ(slices_of(moved, 2).size(), 2u);
  Pool confined({.threads = 2});  // knows that it has one
  for (int i = 0; i < 20; ++i) EXPECT_EQ(slices_of(confined, 2).size(), 2u);
}

TEST(Pool, ThreadsThatShareAProcessorUnderFifoFinish) {
  bool permitted = false;
  std::thread real_time(share_a_processor, std::ref(permitted));
  real_time.join();
  if (!permitted) GTEST_SKIP() << "SCHED_FIFO is not permitted here";
}

}  // namespace
}  // namespace hone::runtime
