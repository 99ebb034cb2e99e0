#include "model/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace hone::model {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();
constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

Tensor floats(const std::vector<float>& values) {
  Tensor tensor = Tensor::zeros(ir::Scalar::F32, {static_cast<std::int64_t>(values.size())});
  std::ranges::copy(std::as_bytes(std::span(values)), tensor.writable().begin());
  return tensor;
}

TEST(RelativeError, IsTheLargestDifferenceOverTheLargestElement) {
  EXPECT_EQ(relative_error(floats({1, -3, 2}), floats({1, -4, 2})), 0.25);
  EXPECT_EQ(relative_error(floats({0, 0}), floats({0, 0})), 0);
  EXPECT_EQ(relative_error(floats({1}), floats({0})), kInfinite);
}

TEST(RelativeError, InfinitiesAndNoNumbersMustBeTheSame) {
  EXPECT_EQ(relative_error(floats({kInfinite, kNoNumber, 1}), floats({kInfinite, kNoNumber, 2})), 0.5);
  EXPECT_EQ(relative_error(floats({1}), floats({kNoNumber})), kInfinite);
  EXPECT_EQ(relative_error(floats({kNoNumber}), floats({1})), kInfinite);
  EXPECT_EQ(relative_error(floats({kInfinite}), floats({-kInfinite})), kInfinite);
}

TEST(RelativeError, AnotherTypeOrShapeIsInfinitelyWrong) {
  EXPECT_EQ(relative_error(floats({1, 2}), floats({1, 2}).reshaped({2, 1})), kInfinite);
  EXPECT_EQ(relative_error(floats({0}), Tensor::zeros(ir::Scalar::I32, {1})), kInfinite);
}

}  // namespace
}  // namespace hone::model
