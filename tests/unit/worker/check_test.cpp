#include "worker/check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace hone::worker {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::string compare(std::vector<float> actual, std::vector<float> expected, double tolerance) {
  const BufferSpec spec{
      "C", ir::Scalar::F32, {}, static_cast<std::int64_t>(actual.size()), Role::Output};
  return compare_all(spec, reinterpret_cast<const std::byte*>(actual.data()),
                     reinterpret_cast<const std::byte*>(expected.data()), tolerance);
}

TEST(Check, AllowsErrorsInProportionToTheOutput) {
  EXPECT_EQ(compare({100.0005F, 100}, {100, 100}, 1e-5), "");
  EXPECT_EQ(compare({100, 100.01F}, {100, 100}, 1e-5), "C[1] is 100.01000213623047, not 100");
  // A result that cancels to nearly nothing has the error of its terms.
  EXPECT_EQ(compare({100, 0.0005F}, {100, 0}, 1e-5), "");
  EXPECT_NE(compare({0.0005F}, {0}, 1e-5), "");
}

TEST(Check, KnowsValuesThatAreNoNumbers) {
  EXPECT_EQ(compare({kNan, kInfinity, 1}, {kNan, kInfinity, 1}, 1e-5), "");
  EXPECT_NE(compare({kNan, 1}, {1, 1}, 1e-5), "");
  EXPECT_NE(compare({1, 1}, {kNan, 1}, 1e-5), "");
  EXPECT_NE(compare({kInfinity, 1}, {1, 1}, 1e-5), "");
  EXPECT_NE(compare({-kInfinity, 1}, {kInfinity, 1}, 1e-5), "");
  EXPECT_NE(compare({1, 1}, {kInfinity, 1}, 1e-5), "");
}

TEST(Check, SamplesPastTheRangeOfTheElementsAreInfinite) {
  const std::vector<float> actual = {-kInfinity, 1};
  const BufferSpec spec{"C", ir::Scalar::F32, {2}, 2, Role::Output};
  const auto* bytes = reinterpret_cast<const std::byte*>(actual.data());
  const std::vector<Sample> right = {{0, 0, -6.8e38}, {0, 1, 1}}, wrong = {{0, 0, 6.8e38}};
  EXPECT_EQ(compare_samples(spec, bytes, right, 1e-5), "");
  EXPECT_EQ(compare_samples(spec, bytes, wrong, 1e-5), "C[0] is -inf, not inf");
}

TEST(Check, IntegersAreExact) {
  const std::vector<std::int32_t> actual = {1, 2, 4}, expected = {1, 2, 3};
  const BufferSpec spec{"C", ir::Scalar::I32, {3}, 3, Role::Output};
  const auto* bytes = reinterpret_cast<const std::byte*>(actual.data());
  EXPECT_EQ(compare_all(spec, bytes, reinterpret_cast<const std::byte*>(expected.data()), 0),
            "C[2] is 4, not 3");
  const std::vector<Sample> right = {{0, 0, 1}, {0, 2, 4}}, wrong = {{0, 1, 3}};
  EXPECT_EQ(compare_samples(spec, bytes, right, 0), "");
  EXPECT_EQ(compare_samples(spec, bytes, wrong, 0), "C[1] is 2, not 3");
}

}  // namespace
}  // namespace hone::worker
