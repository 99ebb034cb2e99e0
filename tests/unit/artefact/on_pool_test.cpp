#include "artefact/on_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "base/error.h"

namespace hone::artefact {
namespace {

TEST(OnPool, EverythingIsDoneOnceWithAnyNumberOfThreadsAndInsideOfEachOther) {
  for (const int threads : {1, 2, 5}) {
    std::vector<std::atomic<int>> done(60);
    on_pool(6, threads, [&](std::size_t outer) {
      on_pool(10, threads, [&](std::size_t inner) { ++done[outer * 10 + inner]; });
    });
    for (const std::atomic<int>& each : done) EXPECT_EQ(each, 1);
  }
}

TEST(OnPool, AnErrorComesOut) {
  const auto fails = [](std::size_t i) {
    if (i == 3) throw UserError("number 3");
  };
  EXPECT_THROW(on_pool(8, 2, fails), UserError);
}

}  // namespace
}  // namespace hone::artefact
