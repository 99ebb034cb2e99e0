// Integer expressions over loop variables: what splitting and fusing make of loop counters.
#pragma once
#include <cstdint>
#include <vector>

#include "ir/expr.h"

namespace hone::schedule {

using Var = std::int32_t;  // a number that Vars gave out

// scale * ((var mod upper) div lower): one digit of a variable in a mixed radix.
struct Digit {
  Var var = 0;
  std::int64_t scale = 1;
  std::int64_t lower = 1;
  std::int64_t upper = 0;  // 0: no modulus

  friend bool operator==(const Digit&, const Digit&) = default;
};

// constant + the digits. Their order is canonical: by first appearance of the variable, the digits of
// one variable from high to low, no two of which could be written as one.
struct Sum {
  std::vector<Digit> digits;
  std::int64_t constant = 0;

  bool is_constant() const { return digits.empty(); }
  friend bool operator==(const Sum&, const Sum&) = default;
};

// Values min .. max; empty (min > max) when nothing is known.
struct Limits {
  std::int64_t min = 0, max = 0;
  bool is_known() const { return min <= max; }
};

// The variables that sums speak of: loops, sums whose quotient has no simpler form, and expressions of
// other kinds (a value read from memory).
//
// Arithmetic uses the extent of a loop to simplify: `x mod 8` is `x` in a loop of 8. Bound inference
// forbids it for fused loops and for axes, as TVM's does, so that its sums print alike.
class Vars {
 public:
  Var add_loops(int count);  // numbers new loops in a row and returns the first; their extents are 1
  void set_extent(Var loop, std::int64_t extent) { at(loop).limits.max = extent - 1; }
  std::int64_t extent(Var loop) const { return at(loop).limits.max + 1; }
  void simplify_by_extent(Var loop, bool allowed) { at(loop).by_extent = allowed; }
  bool simplifies_by_extent(Var var) const { return at(var).by_extent; }
  Var compound(const Sum& sum);   // a variable that stands for the sum
  Var opaque(const ir::Expr& e);  // a variable that stands for the expression

  const Limits& limits(Var var) const { return at(var).limits; }
  void set_limits(Var var, const Limits& limits) { at(var).limits = limits; }
  Var size() const { return static_cast<Var>(vars_.size()); }  // variables so far
  const Sum* sum_of(Var var) const {                           // null unless compound
    const std::int32_t number = at(var).sum;
    return number < 0 ? nullptr : &sums_[static_cast<std::size_t>(number)];
  }
  const ir::Expr& expr_of(Var var) const { return at(var).expr; }  // empty unless opaque

 private:
  struct Info {
    Limits limits;
    std::int32_t sum = -1;
    ir::Expr expr;
    bool by_extent = true;
  };
  Info& at(Var var) { return vars_[static_cast<std::size_t>(var)]; }
  const Info& at(Var var) const { return vars_[static_cast<std::size_t>(var)]; }
  std::vector<Info> vars_;
  std::vector<Sum> sums_;
};

Sum constant(std::int64_t value);
Sum variable(const Vars& vars, Var var);  // the constant 0 for a loop of extent 1
void add(const Vars& vars, Sum& to, const Sum& what, std::int64_t scale = 1);
Sum floor_div(Vars& vars, const Sum& a, std::int64_t divisor);  // divisor > 0
Sum floor_mod(Vars& vars, const Sum& a, std::int64_t divisor);
Limits limits(const Vars& vars, const Sum& sum);  // over all values of the variables

// The result, or UserError when it leaves 64 bits: extents and strides come from the user.
std::int64_t checked_sum(std::int64_t a, std::int64_t b);
std::int64_t checked_product(std::int64_t a, std::int64_t b);
inline std::int64_t floor_div(std::int64_t a, std::int64_t divisor) {
  if (divisor == 1) return a;  // most are, and a division is slow
  const std::int64_t quotient = a / divisor;
  return quotient * divisor > a ? quotient - 1 : quotient;
}

}  // namespace hone::schedule
