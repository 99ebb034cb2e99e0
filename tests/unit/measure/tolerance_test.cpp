#include "measure/tolerance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "worker/inputs.h"

namespace hone::measure {
namespace {

struct Sums {
  double worst_error = 0, root_mean_square = 0;
};

// Sums of `n` products in float, forwards and in four strands, against each other.
Sums float_sums(int n, int count) {
  Sums sums;
  for (int k = 0; k < count; ++k) {
    float forwards = 0;
    float strands[4] = {};
    for (int i = 0; i < n; ++i) {
      const auto a = static_cast<float>(worker::random_value(1, 0, k * n + i, ir::Scalar::F32));
      const auto b = static_cast<float>(worker::random_value(1, 1, k * n + i, ir::Scalar::F32));
      forwards += a * b;
      strands[i % 4] += a * b;
    }
    const float other = (strands[0] + strands[1]) + (strands[2] + strands[3]);
    sums.worst_error = std::max(sums.worst_error, static_cast<double>(std::abs(forwards - other)));
    sums.root_mean_square += static_cast<double>(other) * other / count;
  }
  sums.root_mean_square = std::sqrt(sums.root_mean_square);
  return sums;
}

TEST(Tolerance, PassesOtherOrdersOfASumAndCatchesOneMissingTerm) {
  for (const int n : {1, 16, 64, 576, 4608}) {
    const Sums sums = float_sums(n, 500);
    const double allowed = tolerance(ir::Scalar::F32, n) * sums.root_mean_square;
    EXPECT_LT(sums.worst_error, allowed / 2) << n;
    EXPECT_LT(allowed, 0.01) << n << ": a term is about 1/3";
  }
}

TEST(Tolerance, IntegersAreExactAndNarrowTypesLooser) {
  EXPECT_EQ(tolerance(ir::Scalar::I32, 1000), 0);
  EXPECT_EQ(tolerance(ir::Scalar::Bool, 1), 0);
  EXPECT_GT(tolerance(ir::Scalar::F16, 10), tolerance(ir::Scalar::F32, 10));
  EXPECT_GT(tolerance(ir::Scalar::BF16, 10), tolerance(ir::Scalar::F16, 10));
  EXPECT_EQ(tolerance(ir::Scalar::F32, 10, 4), 4 * tolerance(ir::Scalar::F32, 10));
}

}  // namespace
}  // namespace hone::measure
