#include "ir/interval.h"

#include <gtest/gtest.h>

#include "ir/arithmetic.h"

namespace hone::ir {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

// Every result of every pair of values of all small intervals lies in the interval of the results.
TEST(Interval, HoldsEveryResult) {
  const std::vector<std::pair<BinaryOp, Interval (*)(Interval, Interval)>> operations = {
      {BinaryOp::Add, [](Interval a, Interval b) { return a + b; }},
      {BinaryOp::Sub, [](Interval a, Interval b) { return a - b; }},
      {BinaryOp::Mul, [](Interval a, Interval b) { return a * b; }},
      {BinaryOp::Div, truncated_div},
      {BinaryOp::Mod, truncated_mod},
      {BinaryOp::FloorDiv, floor_div},
      {BinaryOp::FloorMod, floor_mod},
      {BinaryOp::Min, [](Interval a, Interval b) { return min(a, b); }},
      {BinaryOp::Max, [](Interval a, Interval b) { return max(a, b); }}};
  for (std::int64_t a = -5; a <= 5; ++a) {
    for (std::int64_t b = a; b <= 5; ++b) {
      for (std::int64_t c = -5; c <= 5; ++c) {
        for (std::int64_t d = c; d <= 5; ++d) {
          for (const auto& [op, of_intervals] : operations) {
            const Interval result = of_intervals({a, b}, {c, d});
            for (std::int64_t x = a; x <= b; ++x) {
              for (std::int64_t y = c; y <= d; ++y) {
                if (divides(op) && y == 0) continue;
                ASSERT_TRUE(within(point(evaluate(op, Scalar::I64, x, y)), result))
                    << static_cast<int>(op) << ": " << x << ", " << y;
              }
            }
          }
        }
      }
    }
  }
}

TEST(Interval, IsTightWhereThatMatters) {
  const Interval in_one_block = floor_mod(Interval{9, 11}, point(4));
  EXPECT_EQ(in_one_block.min, 1);
  EXPECT_EQ(in_one_block.max, 3);
  EXPECT_EQ(floor_div(Interval{-1, 7}, point(4)).min, -1);
  EXPECT_EQ(floor_div(Interval{-1, 7}, point(4)).max, 1);
}

TEST(Interval, SaturatesInsteadOfOverflowing) {
  EXPECT_EQ((Interval{} + point(1)).min, kLeast + 1);
  EXPECT_EQ((Interval{} + point(1)).max, kMost);
  EXPECT_EQ((point(kMost) * point(2)).max, kMost);
  EXPECT_EQ((point(0) - point(kLeast)).max, kMost);
  EXPECT_EQ(floor_div(point(kLeast), point(-1)).max, kMost);
}

}  // namespace
}  // namespace hone::ir
