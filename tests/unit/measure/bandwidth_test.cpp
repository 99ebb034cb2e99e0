#include "measure/bandwidth.h"

#include <gtest/gtest.h>

namespace hone::measure {
namespace {

// Between what a slow disk and what the fastest memory of any machine today gives.
TEST(Bandwidth, IsThatOfMemory) {
  const double rate = measured_bandwidth_gbs(target::host(), 1);
  EXPECT_GT(rate, 0.1);
  EXPECT_LT(rate, 2000);
}

}  // namespace
}  // namespace hone::measure
