#include "base/parallel.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace hone {
namespace {

TEST(ParallelFor, VisitsEveryIndexOnceWithAnyNumberOfThreads) {
  for (const int threads : {0, 1, 3, 16}) {
    for (const std::size_t n : {0, 1, 7, 100}) {
      std::vector<int> visits(n);
      parallel_for(n, threads, [&](std::size_t i) { ++visits[i]; });
      EXPECT_EQ(visits, std::vector<int>(n, 1)) << threads << " " << n;
    }
  }
}

TEST(ParallelFor, ThrowsWhatTheBodyThrows) {
  EXPECT_THROW(parallel_for(100, 4,
                            [](std::size_t i) {
                              if (i == 50) throw std::runtime_error("50");
                            }),
               std::runtime_error);
}

}  // namespace
}  // namespace hone
