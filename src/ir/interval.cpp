#include "ir/interval.h"

#include <algorithm>

#include "ir/arithmetic.h"

namespace hone::ir {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();

std::int64_t saturated_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? kLeast : kGreatest;
}

std::int64_t saturated_mul(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? kGreatest : kLeast;
}

std::int64_t negated(std::int64_t a) { return a == kLeast ? kGreatest : -a; }

bool holds_zero(Interval a) { return a.min <= 0 && a.max >= 0; }

// A function that is monotone in each argument takes its extremes at the corners.
template <class Function>
Interval corners(Interval a, Interval b, Function f) {
  const auto [low, high] =
      std::minmax({f(a.min, b.min), f(a.min, b.max), f(a.max, b.min), f(a.max, b.max)});
  return {low, high};
}

}  // namespace

Interval hull(Interval a, Interval b) { return {std::min(a.min, b.min), std::max(a.max, b.max)}; }
Interval intersection(Interval a, Interval b) {
  return {std::max(a.min, b.min), std::min(a.max, b.max)};
}
Interval min(Interval a, Interval b) { return {std::min(a.min, b.min), std::min(a.max, b.max)}; }
Interval max(Interval a, Interval b) { return {std::max(a.min, b.min), std::max(a.max, b.max)}; }

Interval operator+(Interval a, Interval b) {
  return {saturated_add(a.min, b.min), saturated_add(a.max, b.max)};
}
Interval operator-(Interval a, Interval b) { return a + Interval{negated(b.max), negated(b.min)}; }
Interval operator*(Interval a, Interval b) { return corners(a, b, saturated_mul); }

Interval floor_div(Interval a, Interval b) {
  if (holds_zero(b)) return {};
  return corners(a, b, [](std::int64_t x, std::int64_t y) {
    return x == kLeast && y == -1 ? kGreatest : floor_div(x, y);
  });
}

Interval floor_mod(Interval a, Interval b) {
  if (holds_zero(b)) return {};
  if (b.max < 0) return {b.min + 1, 0};
  if (b.is_point() && floor_div(a.min, b.min) == floor_div(a.max, b.min)) {
    return {floor_mod(a.min, b.min), floor_mod(a.max, b.min)};
  }
  if (a.min >= 0 && a.max < b.min) return a;
  return {0, b.max - 1};
}

Interval truncated_div(Interval a, Interval b) {
  if (holds_zero(b)) return {};
  return corners(
      a, b, [](std::int64_t x, std::int64_t y) { return x == kLeast && y == -1 ? kGreatest : x / y; });
}

Interval truncated_mod(Interval a, Interval b) {
  if (holds_zero(b)) return {};
  const Interval magnitude = b.max < 0 ? point(0) - b : b;
  const Interval of_positive = floor_mod(max(a, point(0)), magnitude);
  if (a.min >= 0) return of_positive;
  const Interval of_negative = point(0) - floor_mod(max(point(0) - a, point(0)), magnitude);
  return a.max <= 0 ? of_negative : hull(of_positive, of_negative);
}

}  // namespace hone::ir
