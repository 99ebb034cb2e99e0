// Index expressions as sums of atoms.
#include <algorithm>

#include "ir/arithmetic.h"
#include "ir/interval.h"
#include "ir/linear.h"
#include "ir/simplifier.h"
#include "ir/simplify_division.h"

namespace hone::ir {

const Linear& Simplifier::linear(const Expr& e) {
  const auto found = linear_.find(e.get());
  if (found != linear_.end()) return found->second.value;
  Linear sum = e.type() == kIndex ? sum_of(e) : atom_sum(e);
  return linear_.emplace(e.get(), Known<Linear>{e, std::move(sum)}).first->second.value;
}

Linear Simplifier::sum_of(const Expr& e) {
  const auto simplify_child = [this](const Expr& child) { return simplify(child); };
  return match(
      e, [&](const IntImm& n) { return constant_sum(n.value); },
      [&](const Variable&) {
        const Interval range = bounds_of_atom(e);
        return range.is_point() ? constant_sum(range.min) : atom_sum(e);
      },
      [&](const Binary& n) { return sum_of(e, n); },
      [&](const Select&) {
        const Expr result = rewrite_select(e);
        return result.as<Select>() ? atom_sum(result) : linear(result);
      },
      [&](const Cast&) {
        const Expr result = rewrite_cast(e);
        return result.as<Cast>() ? atom_sum(result) : linear(result);
      },
      [&](const auto&) { return atom_sum(map_children(e, simplify_child)); });
}

Linear Simplifier::sum_of(const Expr& e, const Binary& n) {
  if (n.op == BinaryOp::Min || n.op == BinaryOp::Max) return extreme(n.op, n.a, n.b);
  const Linear& a = linear(n.a);
  const Linear& b = linear(n.b);
  if (n.op == BinaryOp::Add || n.op == BinaryOp::Sub) {
    Linear sum = a;
    add(sum, b, n.op == BinaryOp::Add ? 1 : -1);
    recombine(sum);
    return sum;
  }
  if (n.op == BinaryOp::Mul) return product(a, b);
  if (is_constant(b) && b.constant != 0) {
    const bool floors = n.op == BinaryOp::FloorDiv || n.op == BinaryOp::FloorMod;
    if (is_constant(a)) return constant_sum(evaluate(n.op, Scalar::I64, a.constant, b.constant));
    if (b.constant > 0 && is_tame(a) && is_tame(b) && (floors || bounds(a).min >= 0)) {
      const bool divides = n.op == BinaryOp::FloorDiv || n.op == BinaryOp::Div;
      return divides ? quotient(a, b.constant) : remainder(a, b.constant);
    }
  }
  return atom_sum(map_children(e, [this](const Expr& child) { return simplify(child); }));
}

Linear Simplifier::product(const Linear& a, const Linear& b) {
  if (is_constant(a)) return scaled(b, a.constant);
  if (is_constant(b)) return scaled(a, b.constant);
  Expr x = to_sorted_expr(a), y = to_sorted_expr(b);
  if (precedes(y, x)) std::swap(x, y);
  return atom_sum(x * y);
}

Linear Simplifier::extreme(BinaryOp op, const Expr& a, const Expr& b) {
  const Linear& x = linear(a);
  const Linear& y = linear(b);
  if (!is_tame(x) || !is_tame(y)) return atom_sum(binary(op, simplify(a), simplify(b)));
  Linear difference = x;
  add(difference, y, -1);
  recombine(difference);
  const Interval range = bounds(difference);
  const bool wants_less = op == BinaryOp::Min;
  if (range.max <= 0) return wants_less ? x : y;
  if (range.min >= 0) return wants_less ? y : x;
  return atom_sum(binary(op, simplify(a), simplify(b)));
}

// Digits of one value that stand in a sum with their place values grow together again:
// floordiv(x, 4)*4 + floormod(x, 4) is x, and x - floordiv(x, 4)*4 is floormod(x, 4).
// Every step leaves fewer terms, so their number bounds the steps.
void Simplifier::recombine(Linear& sum) {
  std::size_t steps_left = sum.terms.size();
  while (steps_left > 1 && (merge_digits(sum) || restore_remainder(sum))) --steps_left;
}

bool Simplifier::merge_digits(Linear& sum) {
  for (const Linear::Term& low_term : sum.terms) {
    const auto low = as_digit(low_term.atom);
    if (!low || low->high == 0) continue;
    for (const Linear::Term& high_term : sum.terms) {
      const auto high = as_digit(high_term.atom);
      if (!high || high->low != low->high || !equal(high->of, low->of)) continue;
      const std::int64_t place = low->high / low->low;
      if (high_term.coefficient % place != 0 || high_term.coefficient / place != low_term.coefficient)
        continue;
      const Linear::Term kept_low = low_term, kept_high = high_term;
      Linear merged = quotient(linear(low->of), low->low);
      if (high->high != 0) merged = remainder(merged, high->high / low->low);
      sum = without(without(sum, kept_low.atom), kept_high.atom);
      add(sum, merged, kept_low.coefficient);
      return true;
    }
  }
  return false;
}

bool Simplifier::restore_remainder(Linear& sum) {
  for (const Linear::Term& term : sum.terms) {
    const auto digit = as_digit(term.atom);
    if (!digit || digit->high != 0 || term.coefficient % digit->low != 0) continue;
    const std::int64_t factor = -(term.coefficient / digit->low);
    const Linear whole = scaled(linear(digit->of), factor);
    const bool has_whole = std::ranges::all_of(whole.terms, [&](const Linear::Term& part) {
      return std::ranges::any_of(sum.terms, [&](const Linear::Term& t) {
        return t.coefficient == part.coefficient && equal(t.atom, part.atom);
      });
    });
    if (!has_whole) continue;
    const Linear::Term kept = term;
    const Linear rest = remainder(linear(digit->of), digit->low);
    sum = without(sum, kept.atom);
    add(sum, whole, -1);
    add(sum, rest, factor);
    return true;
  }
  return false;
}

}  // namespace hone::ir
