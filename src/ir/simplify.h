// Algebraic simplification with known ranges of variables.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>

#include "ir/expr.h"

namespace hone::ir {

// Closed interval of integers; the widest one means nothing is known.
struct Interval {
  std::int64_t min = std::numeric_limits<std::int64_t>::min();
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
  bool is_point() const { return min == max; }
};

using Ranges = std::unordered_map<const Node*, Interval>;  // variable -> values it can take

// Index arithmetic (int64) is taken not to overflow; that of narrower integers wraps.

Interval bounds(const Expr& e, const Ranges& ranges);  // of every lane; never wrong, maybe wide
// An equal expression that is canonical for sums of products: c0 + c1*v1 + ..., with constants folded,
// comparisons decided where the ranges decide them, and floor-div/mod taken apart.
// Terms stand by falling coefficient, then by name; comparisons are those of TVM's text: P < N + c, P
// >= N + c. Float arithmetic is folded on constants and on exact identities only (x*1, x+0 keeps x).
Expr simplify(const Expr& e, const Ranges& ranges = {});
// True when the condition holds (or fails) for every value in the ranges; empty when it depends.
std::optional<bool> decide(const Expr& condition, const Ranges& ranges);

// e as sum of coefficient * atom + constant; atoms are variables or opaque integer expressions.
struct Linear {
  struct Term {
    Expr atom;
    std::int64_t coefficient;
  };
  std::vector<Term> terms;  // in order of first appearance
  std::int64_t constant = 0;
};
Linear linear(const Expr& e, const Ranges& ranges = {});
Expr to_expr(const Linear& sum);

}  // namespace hone::ir
