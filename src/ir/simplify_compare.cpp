// Conditions: comparisons of indices are questions about the sign of a difference.
#include <algorithm>
#include <set>

#include "ir/arithmetic.h"
#include "ir/interval.h"
#include "ir/linear.h"
#include "ir/simplifier.h"

namespace hone::ir {
namespace {

BinaryOp negation(BinaryOp op) {
  switch (op) {
    case BinaryOp::Eq:
      return BinaryOp::Ne;
    case BinaryOp::Ne:
      return BinaryOp::Eq;
    case BinaryOp::Lt:
      return BinaryOp::Ge;
    case BinaryOp::Le:
      return BinaryOp::Gt;
    case BinaryOp::Gt:
      return BinaryOp::Le;
    default:
      return BinaryOp::Lt;
  }
}

// What the difference's range says about `difference op 0`.
std::optional<bool> decided(BinaryOp op, Interval difference) {
  switch (op) {
    case BinaryOp::Eq:
    case BinaryOp::Ne:
      if (difference.min > 0 || difference.max < 0) return op == BinaryOp::Ne;
      return difference.is_point() ? std::optional(op == BinaryOp::Eq) : std::nullopt;
    case BinaryOp::Gt:
    case BinaryOp::Le:
      if (difference.min > 0 || difference.max <= 0)
        return (op == BinaryOp::Gt) == (difference.min > 0);
      return std::nullopt;
    default:
      if (difference.max < 0 || difference.min >= 0)
        return (op == BinaryOp::Lt) == (difference.max < 0);
      return std::nullopt;
  }
}

// `difference op 0` with what is subtracted on the right-hand side: x >= y + 1.
Expr written_out(BinaryOp op, Linear difference) {
  const auto is_positive = [](const Linear::Term& term) { return term.coefficient > 0; };
  if (std::ranges::none_of(difference.terms, is_positive)) {
    difference = scaled(difference, -1);
    if (op == BinaryOp::Lt || op == BinaryOp::Ge) {
      difference.constant -= 1;
      op = negation(op);
    }
  }
  Linear left, right;
  right.constant = -difference.constant;
  for (const Linear::Term& term : difference.terms) {
    if (is_positive(term)) {
      left.terms.push_back(term);
    } else {
      right.terms.push_back({term.atom, -term.coefficient});
    }
  }
  return binary(op, to_sorted_expr(left), to_sorted_expr(right));
}

// A comparison of an index with a constant: `left < limit` or `left >= limit`.
struct Limit {
  Expr left;
  bool is_upper;
  std::int64_t value;
};
std::optional<Limit> as_limit(const Expr& e) {
  const auto* n = e.as<Binary>();
  if (!n || (n->op != BinaryOp::Lt && n->op != BinaryOp::Ge) || n->a.type() != kIndex)
    return std::nullopt;
  const auto value = as_int(n->b);
  return value ? std::optional(Limit{n->a, n->op == BinaryOp::Lt, *value}) : std::nullopt;
}

enum class Relation : std::uint8_t { Unrelated, FirstImpliesSecond, SecondImpliesFirst, Contradicts };

Relation relation(const Expr& first, const Expr& second) {
  if (equal(first, second)) return Relation::FirstImpliesSecond;
  const auto a = as_limit(first), b = as_limit(second);
  if (!a || !b || !equal(a->left, b->left)) return Relation::Unrelated;
  if (a->is_upper == b->is_upper) {
    const bool first_is_tighter = a->is_upper ? a->value <= b->value : a->value >= b->value;
    return first_is_tighter ? Relation::FirstImpliesSecond : Relation::SecondImpliesFirst;
  }
  const std::int64_t upper = a->is_upper ? a->value : b->value;
  const std::int64_t lower = a->is_upper ? b->value : a->value;
  return upper <= lower ? Relation::Contradicts : Relation::Unrelated;
}

void collect_conjuncts(const Expr& e, std::vector<Expr>& out) {
  const auto* n = e.as<Binary>();
  if (!n || n->op != BinaryOp::And) {
    out.push_back(e);
    return;
  }
  collect_conjuncts(n->a, out);
  collect_conjuncts(n->b, out);
}

}  // namespace

Expr Simplifier::rewrite_compare(BinaryOp op, const Expr& a, const Expr& b) {
  if (a.type() == kIndex) return compare_indices(op, a, b);
  const auto* fa = a.as<FloatImm>();
  const auto* fb = b.as<FloatImm>();
  if (fa && fb) return bool_imm(compare(op, fa->value, fb->value));
  const auto ia = as_int(a), ib = as_int(b);
  if (ia && ib) return bool_imm(evaluate(op, a.type().scalar, *ia, *ib) != 0);
  if (is_float(a.type().scalar) || a.type().scalar == Scalar::U64) return binary(op, a, b);
  const auto answer = decided(op, equal(a, b) ? point(0) : bounds(a) - bounds(b));
  return answer ? bool_imm(*answer) : binary(op, a, b);
}

Expr Simplifier::compare_indices(BinaryOp op, const Expr& a, const Expr& b) {
  if (!is_tame(linear(a)) || !is_tame(linear(b))) return binary(op, a, b);
  Linear difference = linear(a);
  add(difference, linear(b), -1);
  recombine(difference);
  if (op == BinaryOp::Le || op == BinaryOp::Gt) {
    difference.constant -= 1;
    op = op == BinaryOp::Le ? BinaryOp::Lt : BinaryOp::Ge;
  }
  const auto answer = decided(op, bounds(difference));
  if (answer) return bool_imm(*answer);
  if (op == BinaryOp::Lt || op == BinaryOp::Ge) {
    while (tighten(difference)) {
    }
    return written_out(op, std::move(difference));
  }
  const auto [multiple, rest] = split(difference, content(difference));
  if (rest.constant != 0) return bool_imm(op == BinaryOp::Ne);
  return written_out(op, multiple);
}

// The sign of a difference is that of its floor-div by any g > 0. Where all but multiples of g lies in
// one block of g, that quotient is a smaller sum: x*4 + y < 16 is x < 4 when y is in [0, 4).
bool Simplifier::tighten(Linear& difference) {
  std::set<std::int64_t, std::greater<>> divisors{content(difference)};
  for (const Linear::Term& term : difference.terms) {
    divisors.insert(term.coefficient < 0 ? -term.coefficient : term.coefficient);
  }
  for (const std::int64_t g : divisors) {
    if (g <= 1) continue;
    auto [multiple, rest] = split(difference, g);
    const Interval range = bounds(rest);
    if (floor_div(range.min, g) != floor_div(range.max, g)) continue;
    multiple.constant += floor_div(range.min, g);
    difference = std::move(multiple);
    return true;
  }
  return false;
}

// A negated comparison of floats stays: both fail on a NaN.
Expr Simplifier::rewrite_not(const Expr& operand) {
  const Expr a = simplify(operand);
  if (const auto known = as_int(a)) return bool_imm(*known == 0);
  if (const auto* inner = a.as<Not>()) return inner->a;
  const auto* n = a.as<Binary>();
  if (n && compares(n->op) && !is_float(n->a.type().scalar)) {
    return rewrite_compare(negation(n->op), n->a, n->b);
  }
  return logical_not(a);
}

Expr Simplifier::rewrite_and(const Expr& a, const Expr& b) {
  if (const auto known = as_int(a)) return *known != 0 ? b : a;
  if (const auto known = as_int(b)) return *known != 0 ? a : b;
  std::vector<Expr> kept, added;
  collect_conjuncts(a, kept);
  collect_conjuncts(b, added);
  bool changed = false;
  for (const Expr& item : added) {
    bool is_implied = false;
    for (std::size_t i = 0; i < kept.size() && !is_implied;) {
      const Relation found = relation(kept[i], item);
      if (found == Relation::Contradicts) return bool_imm(false);
      is_implied = found == Relation::FirstImpliesSecond;
      const bool drops = found == Relation::SecondImpliesFirst;
      if (drops) kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
      changed |= is_implied || drops;
      i += drops ? 0 : 1;
    }
    if (!is_implied) kept.push_back(item);
  }
  if (!changed) return binary(BinaryOp::And, a, b);
  Expr result = kept.front();
  for (std::size_t i = 1; i < kept.size(); ++i) result = logical_and(result, kept[i]);
  return result;
}

Expr Simplifier::rewrite_or(const Expr& a, const Expr& b) {
  if (const auto known = as_int(a)) return *known != 0 ? a : b;
  if (const auto known = as_int(b)) return *known != 0 ? b : a;
  return equal(a, b) ? a : binary(BinaryOp::Or, a, b);
}

}  // namespace hone::ir
