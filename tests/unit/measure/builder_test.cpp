#include "measure/builder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <set>
#include <stdexcept>

namespace hone::measure {
namespace {

Build numbered(std::size_t number) {
  return [number] {
    usleep(static_cast<useconds_t>(number % 5 * 50));
    codegen::Kernel kernel;
    kernel.entry = number;
    return kernel;
  };
}

std::vector<Build> numbered_ones(std::size_t count) {
  std::vector<Build> candidates;
  for (std::size_t i = 0; i < count; ++i) candidates.push_back(numbered(i));
  return candidates;
}

TEST(Builder, GivesResultsInOrderWithAnyNumberOfThreads) {
  for (const int threads : {0, 1, 4}) {
    Builder builder(threads, {}, 10);
    for (int round = 0; round < 10; ++round) {
      Builder::Batch batch(builder, numbered_ones(30));
      batch.allow(30);
      for (std::size_t i = 0; i < 30; ++i) EXPECT_EQ(batch.take(i).kernel.entry, i);
    }
  }
}

TEST(Builder, BuildsNothingBeyondWhatIsAllowed) {
  Builder builder(2, {}, 10);
  std::atomic<int> built = 0;
  std::vector<Build> candidates(20, [&] {
    ++built;
    return codegen::Kernel{};
  });
  Builder::Batch batch(builder, candidates);
  usleep(5000);
  EXPECT_EQ(built, 0);
  batch.finish(8);
  EXPECT_EQ(built, 8);
  usleep(5000);
  EXPECT_EQ(built, 8) << "the cores are left alone while kernels run";
  batch.finish(100);
  EXPECT_EQ(built, 20);
}

TEST(Builder, GivesUpWhatIsNotBegunWhenABatchGoes) {
  Builder builder(2, {}, 10);
  std::atomic<int> built = 0;
  {
    std::vector<Build> candidates(1000, [&] {
      usleep(1000);
      ++built;
      return codegen::Kernel{};
    });
    Builder::Batch batch(builder, candidates);
    batch.allow(1000);
    batch.take(0);
  }
  const int at_the_end = built;
  EXPECT_LT(at_the_end, 500);
  usleep(5000);
  EXPECT_EQ(built, at_the_end) << "none is in work after the batch has gone";
}

TEST(Builder, GoesOnWithTheNextBatchWhileOneIsBeingTaken) {
  Builder builder(1, {}, 10);
  std::atomic<int> built = 0;
  std::vector<Build> later(4, [&] {
    ++built;
    return codegen::Kernel{};
  });
  Builder::Batch first(builder, numbered_ones(8));
  Builder::Batch second(builder, later);
  first.allow(8);
  second.allow(4);
  for (int waited_ms = 0; built < 4 && waited_ms < 5000; ++waited_ms) usleep(1000);
  EXPECT_EQ(built, 4) << "nobody has taken anything of the first batch yet";
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(first.take(i).kernel.entry, i);
}

TEST(Builder, TheCallersThreadBuildsToo) {
  Builder builder(1, {}, 10);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::vector<Build> candidates(20, [&] {
    usleep(1000);
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
    return codegen::Kernel{};
  });
  Builder::Batch batch(builder, candidates);
  batch.finish(20);
  EXPECT_EQ(threads.size(), 2u);
  EXPECT_TRUE(threads.contains(std::this_thread::get_id()));
}

}  // namespace
}  // namespace hone::measure
