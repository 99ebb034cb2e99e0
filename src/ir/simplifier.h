// The working state of one simplification: known ranges and what has been worked out so far.
#pragma once
#include <optional>
#include <unordered_map>

#include "ir/simplify.h"

namespace hone::ir {

// x of x + 0, x - 0, x*1 and x/1; a - x of a + x*-1, which needs no product. Empty where nothing falls
// away. The operands are scalars or vectors, already simplified.
Expr without_neutral(BinaryOp op, const Expr& a, const Expr& b);

// Index expressions are kept as sums (Linear); everything else is rewritten bottom-up. Results are
// remembered by node, so shared parts are done once.
class Simplifier {
 public:
  explicit Simplifier(const Ranges& ranges) : ranges_(ranges) {}

  Expr simplify(const Expr& e);
  const Linear& linear(const Expr& e);  // of a scalar index
  Interval bounds(const Expr& e);

 private:
  // simplify.cpp: scalars that are no indices.
  Expr rewrite_scalar(const Expr& e);
  // Of an index whose variables all have one value, as in unrolled loops: a short way to its number.
  std::optional<std::int64_t> value_of(const Expr& e) const;
  Expr rewrite_select(const Expr& e);
  Expr rewrite_not(const Expr& operand);
  Expr rewrite_cast(const Expr& e);

  // simplify_index.cpp: sums, and the atoms they are made of.
  Linear sum_of(const Expr& e);
  Linear sum_of(const Expr& e, const Binary& n);
  Linear product(const Linear& a, const Linear& b);
  Linear extreme(BinaryOp op, const Expr& a, const Expr& b);
  void recombine(Linear& sum);
  bool merge_digits(Linear& sum);
  bool restore_remainder(Linear& sum);

  // simplify_division.cpp: floor-div and floor-mod by a positive constant.
  Linear quotient(const Linear& a, std::int64_t c);
  Linear remainder(const Linear& a, std::int64_t c);

  // simplify_compare.cpp
  Expr rewrite_compare(BinaryOp op, const Expr& a, const Expr& b);
  Expr compare_indices(BinaryOp op, const Expr& a, const Expr& b);
  bool tighten(Linear& difference);
  Expr rewrite_and(const Expr& a, const Expr& b);
  Expr rewrite_or(const Expr& a, const Expr& b);

  // simplify_vector.cpp
  Expr rewrite_vector(const Expr& e);
  Expr combine_ramps(BinaryOp op, const Expr& a, const Expr& b);
  Expr divide_ramp(BinaryOp op, const Expr& dividend, const Expr& divisor);
  Expr compare_lanes(BinaryOp op, const Expr& comparison);

  // bounds.cpp
  Interval bounds(const Linear& sum, int distributions = 2);
  Interval bounds_of_atom(const Expr& e);
  Interval bounds_of_binary(const Expr& e, const Binary& n);

  // The key's node stays alive with its entry: nodes made on the way must not share an address.
  template <class Value>
  struct Known {
    Expr key;
    Value value;
  };
  template <class Value>
  using Memo = std::unordered_map<const Node*, Known<Value>>;

  const Ranges& ranges_;
  Memo<Expr> simplified_;
  Memo<Linear> linear_;
  Memo<Interval> bounds_;
};

}  // namespace hone::ir
