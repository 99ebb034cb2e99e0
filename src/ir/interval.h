// Arithmetic on closed intervals of integers. It saturates at the ends of int64: values are taken not
// to overflow, so the widest interval holds them all.
#pragma once
#include <cstdint>

#include "ir/simplify.h"

namespace hone::ir {

inline Interval point(std::int64_t value) { return {value, value}; }
inline bool within(Interval inner, Interval outer) {
  return inner.min >= outer.min && inner.max <= outer.max;
}
Interval hull(Interval a, Interval b);
Interval intersection(Interval a, Interval b);  // of two that both hold some value
Interval operator+(Interval a, Interval b);
Interval operator-(Interval a, Interval b);
Interval operator*(Interval a, Interval b);
Interval min(Interval a, Interval b);
Interval max(Interval a, Interval b);
// The widest interval when the divisor may be zero.
Interval floor_div(Interval a, Interval b);
Interval floor_mod(Interval a, Interval b);
Interval truncated_div(Interval a, Interval b);
Interval truncated_mod(Interval a, Interval b);

}  // namespace hone::ir
