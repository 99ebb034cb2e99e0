#include "codegen/peak.h"

#include <gtest/gtest.h>

namespace hone::codegen {
namespace {

TEST(Peak, IsThatOfVectorsAndIsRemembered) {
  const target::Target target = target::host();
  const double peak = measured_peak_gflops(target, 1);
  // Slower than one multiply-add of a whole vector in two cycles at 1 GHz means that the loop is not
  // the one it should be; faster than four a cycle at 6 GHz that it was optimised away.
  EXPECT_GT(peak, target.lanes(32));
  EXPECT_LT(peak, 2.0 * target.lanes(32) * 4 * 6);
  EXPECT_EQ(measured_peak_gflops(target, 1), peak);
}

TEST(Peak, GrowsWithThreads) {
  const target::Target target = target::host();
  if (target.cores < 2) GTEST_SKIP() << "one processor only";
  EXPECT_GT(measured_peak_gflops(target, 2), measured_peak_gflops(target, 1));
}

}  // namespace
}  // namespace hone::codegen
