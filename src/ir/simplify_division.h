// Digits: the parts of a number that floor-div and floor-mod cut out of it.
#pragma once
#include <cstdint>
#include <optional>

#include "ir/expr.h"

namespace hone::ir {

// floormod(floordiv(of, low), high / low); without the floormod when high is 0.
struct Digit {
  Expr of;
  std::int64_t low = 1, high = 0;
};
// The atom as a digit of something else; empty when it is none.
std::optional<Digit> as_digit(const Expr& atom);

}  // namespace hone::ir
