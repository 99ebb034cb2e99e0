#include "base/core_distance.h"

#include <gtest/gtest.h>

#include "base/affinity.h"

namespace hone {
namespace {

TEST(CoreDistance, IsThatOfMemoryOnOneMachine) {
  const std::vector<int> cpus = allowed_cpus();
  if (cpus.size() < 2) GTEST_SKIP() << "one processor";
  const double there_and_back = round_trip_ns(cpus[0], cpus[1]);
  EXPECT_GT(there_and_back, 5);
  EXPECT_LT(there_and_back, 10'000);
  EXPECT_EQ(allowed_cpus(), cpus) << "the caller may run where it could before";
}

}  // namespace
}  // namespace hone
