// The values an expression can take, from the ranges of its variables.
#include "ir/interval.h"
#include "ir/linear.h"
#include "ir/number.h"
#include "ir/simplifier.h"

namespace hone::ir {
namespace {

// A uint64 may lie beyond int64, where nothing can be said about it.
Interval limits(Scalar scalar) {
  if (is_float(scalar) || scalar == Scalar::U64) return {};
  return {min_value(scalar), max_value(scalar)};
}

// A result that leaves its type wraps around to anywhere in it.
Interval fitted(Interval value, Scalar scalar) {
  if (is_float(scalar) || scalar == Scalar::U64) return {};
  return within(value, limits(scalar)) ? value : limits(scalar);
}

}  // namespace

Interval Simplifier::bounds(const Expr& e) {
  if (e.type() == kIndex) return bounds(linear(e));
  return fitted(bounds_of_atom(e), e.type().scalar);
}

// The sum of the terms' bounds. Where an atom is the smaller of a and b, the sum is also the smaller of
// the sums with a and with b, which cancels what a, b and the rest have in common.
Interval Simplifier::bounds(const Linear& sum, int distributions) {
  Interval total = point(sum.constant);
  for (const Linear::Term& term : sum.terms) {
    total = total + bounds_of_atom(term.atom) * point(term.coefficient);
  }
  if (distributions == 0 || sum.terms.size() < 2 || !is_tame(sum)) return total;
  for (const Linear::Term& term : sum.terms) {
    const auto* n = term.atom.as<Binary>();
    if (!n || (n->op != BinaryOp::Min && n->op != BinaryOp::Max)) continue;
    Linear with_a = without(sum, term.atom), with_b = with_a;
    add(with_a, linear(n->a), term.coefficient);
    add(with_b, linear(n->b), term.coefficient);
    const Interval a = bounds(with_a, distributions - 1), b = bounds(with_b, distributions - 1);
    const bool is_min = (n->op == BinaryOp::Min) == (term.coefficient > 0);
    total = intersection(total, is_min ? min(a, b) : max(a, b));
  }
  return total;
}

Interval Simplifier::bounds_of_atom(const Expr& e) {
  if (e.as<Variable>()) {
    const auto found = ranges_.find(e.get());
    return found == ranges_.end() ? limits(e.type().scalar) : found->second;
  }
  if (const auto value = as_int(e)) return point(*value);
  const auto found = bounds_.find(e.get());
  if (found != bounds_.end()) return found->second.value;
  const Interval anything = limits(e.type().scalar);
  const Interval result = match(
      e, [&](const IntImm&) { return anything; }, [&](const FloatImm&) { return anything; },
      [&](const Variable&) { return anything; }, [&](const Not&) { return anything; },
      [&](const Binary& n) { return bounds_of_binary(e, n); },
      [&](const Select& n) { return hull(bounds(n.then_value), bounds(n.else_value)); },
      [&](const Call&) { return anything; },
      [&](const Cast& n) { return is_float(n.value.type().scalar) ? anything : bounds(n.value); },
      [&](const Load&) { return anything; },
      [&](const Ramp& n) {
        const Interval lanes{0, e.type().lanes - 1};
        return bounds(n.base) + bounds(n.stride) * lanes;
      },
      [&](const Broadcast& n) { return bounds(n.value); });
  const Interval fit = fitted(result, e.type().scalar);
  bounds_.emplace(e.get(), Known<Interval>{e, fit});
  return fit;
}

Interval Simplifier::bounds_of_binary(const Expr& e, const Binary& n) {
  if (is_float(n.a.type().scalar) || e.type().scalar == Scalar::Bool) return limits(e.type().scalar);
  const Interval a = bounds(n.a), b = bounds(n.b);
  switch (n.op) {
    case BinaryOp::Add:
      return a + b;
    case BinaryOp::Sub:
      return a - b;
    case BinaryOp::Mul:
      return a * b;
    case BinaryOp::Div:
      return truncated_div(a, b);
    case BinaryOp::Mod:
      return truncated_mod(a, b);
    case BinaryOp::FloorDiv:
      return floor_div(a, b);
    case BinaryOp::FloorMod:
      return floor_mod(a, b);
    case BinaryOp::Min:
      return min(a, b);
    case BinaryOp::Max:
      return max(a, b);
    default:
      return limits(e.type().scalar);
  }
}

}  // namespace hone::ir
