#include "ir/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hone::ir {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Number, EveryHalfPatternSurvivesTheWayThroughDouble) {
  for (const Scalar scalar : {Scalar::F16, Scalar::BF16}) {
    for (int bits = 0; bits < 65536; ++bits) {
      const double value = from_half_bits(scalar, static_cast<std::uint16_t>(bits));
      if (std::isnan(value)) continue;
      ASSERT_EQ(half_bits(scalar, value), bits);
      ASSERT_EQ(round_to(scalar, value), value);
    }
  }
}

TEST(Number, HalfRoundsToNearestEven) {
  for (const Scalar scalar : {Scalar::F16, Scalar::BF16}) {
    for (int bits = 0; bits < 0x7B00; ++bits) {
      const double low = from_half_bits(scalar, static_cast<std::uint16_t>(bits));
      const double high = from_half_bits(scalar, static_cast<std::uint16_t>(bits + 1));
      const double middle = low + (high - low) / 2;
      ASSERT_EQ(round_to(scalar, middle), bits % 2 == 0 ? low : high);
      ASSERT_EQ(round_to(scalar, std::nextafter(middle, low)), low);
      ASSERT_EQ(round_to(scalar, -std::nextafter(middle, high)), -high);
    }
  }
}

TEST(Number, HalfOverflowsPastTheMiddleToTheNextPower) {
  EXPECT_EQ(round_to(Scalar::F16, 65519.0), 65504.0);
  EXPECT_EQ(round_to(Scalar::F16, 65520.0), kInfinity);
  EXPECT_EQ(round_to(Scalar::BF16, -3.4e38), -kInfinity);
  EXPECT_TRUE(std::isnan(round_to(Scalar::F16, std::nan(""))));
}

TEST(Number, IntegersWrapAtTheirWidth) {
  EXPECT_EQ(wrap_to(Scalar::I8, 128), -128);
  EXPECT_EQ(wrap_to(Scalar::U8, -1), 255);
  EXPECT_EQ(wrap_to(Scalar::U32, -1), 4294967295);
  EXPECT_EQ(wrap_to(Scalar::I32, 1LL << 31), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(wrap_to(Scalar::Bool, 2), 1);
}

TEST(Number, LimitsAreThoseOfTheType) {
  EXPECT_EQ(min_value(Scalar::I8), -128);
  EXPECT_EQ(max_value(Scalar::I8), 127);
  EXPECT_EQ(max_value(Scalar::U16), 65535);
  EXPECT_EQ(max_value(Scalar::I64), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(max_value(Scalar::U64), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(min_value(Scalar::I64), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(max_value(Scalar::Bool), 1);
  EXPECT_EQ(min_value(Scalar::U32), 0);
}

}  // namespace
}  // namespace hone::ir
