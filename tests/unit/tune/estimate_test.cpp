#include "tune/estimate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "task/catalogue.h"

namespace hone::tune {
namespace {

double seconds_of(const char* op) {
  target::Target target = target::parse("avx512");
  target.cores = 2;
  return estimated_s(task::from_op(op), target);
}

TEST(Estimate, FewChannelsAreForChannelsFirst) {
  const double last = seconds_of("conv2d:ci=32,hw=224,co=3,k=3,p=1,layout=nhwc+bias");
  const double first = seconds_of("conv2d:ci=32,hw=224,co=3,k=3,p=1,layout=nchw+bias");
  EXPECT_LT(first, 0.5 * last);
}

TEST(Estimate, WithManyChannelsNoLayoutIsClearlyFaster) {
  for (const char* shape : {"ci=256,hw=14,co=1024,k=1", "ci=128,hw=28,co=128,k=3,p=1"}) {
    const double last = seconds_of(fmt::format("conv2d:{},layout=nhwc", shape).c_str());
    const double first = seconds_of(fmt::format("conv2d:{},layout=nchw", shape).c_str());
    EXPECT_GT(first, 0.9 * last) << shape;
  }
}

TEST(Estimate, WorkTakesTime) {
  const double once = seconds_of("matmul:m=256,n=256,k=256");
  const double eightfold = seconds_of("matmul:m=512,n=512,k=512");
  EXPECT_GT(eightfold, 6 * once);
  EXPECT_LT(eightfold, 12 * once);
}

}  // namespace
}  // namespace hone::tune
