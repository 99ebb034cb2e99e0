// Floor-div and floor-mod of a sum by a positive constant.
#include "ir/simplify_division.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "ir/arithmetic.h"
#include "ir/linear.h"
#include "ir/simplifier.h"

namespace hone::ir {
namespace {

// The dividend and constant divisor of floordiv or floormod.
std::optional<std::pair<Expr, std::int64_t>> as_division(const Expr& e, BinaryOp op) {
  const auto* n = e.as<Binary>();
  if (!n || n->op != op || e.type() != kIndex) return std::nullopt;
  const auto divisor = as_int(n->b);
  if (!divisor || *divisor <= 0) return std::nullopt;
  return std::pair{n->a, *divisor};
}

std::optional<std::int64_t> exact_product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

// The common divisors that c has with the coefficients, greatest first.
std::vector<std::int64_t> shared_divisors(const Linear& sum, std::int64_t c) {
  std::set<std::int64_t, std::greater<>> divisors;
  for (const Linear::Term& term : sum.terms) divisors.insert(std::gcd(term.coefficient, c));
  divisors.erase(1);
  return {divisors.begin(), divisors.end()};
}

bool lies_in_one_block(Interval range, std::int64_t c) {
  return floor_div(range.min, c) == floor_div(range.max, c);
}

}  // namespace

std::optional<Digit> as_digit(const Expr& atom) {
  if (const auto division = as_division(atom, BinaryOp::FloorDiv))
    return Digit{division->first, division->second, 0};
  const auto modulo = as_division(atom, BinaryOp::FloorMod);
  if (!modulo) return std::nullopt;
  const auto inner = as_division(modulo->first, BinaryOp::FloorDiv);
  if (!inner) return Digit{modulo->first, 1, modulo->second};
  const auto high = exact_product(inner->second, modulo->second);
  return high ? std::optional(Digit{inner->first, inner->second, *high}) : std::nullopt;
}

// With a = c*Q + R the quotient is Q + floordiv(R, c), and R is what the rest of this looks at:
// it may lie in one block of c; it may be g*S + T with g a divisor of c and T in [0, g), where T does
// not matter; or it may be a digit, whose digits are digits of the same number.
Linear Simplifier::quotient(const Linear& a, std::int64_t c) {
  if (c == 1) return a;
  auto [result, rest] = split(a, c);
  if (const Interval range = bounds(rest); lies_in_one_block(range, c)) {
    result.constant += floor_div(range.min, c);
    return result;
  }
  for (const std::int64_t g : shared_divisors(rest, c)) {
    const auto [multiple, inner] = split(rest, g);
    const Interval range = bounds(inner);
    if (range.min < 0 || range.max >= g) continue;
    add(result, quotient(multiple, c / g), 1);
    return result;
  }
  const Expr* atom = as_atom(rest);
  if (const auto digit = atom ? as_digit(*atom) : std::nullopt) {
    const auto low = exact_product(digit->low, c);
    const std::int64_t span = digit->high / digit->low;
    if (low && (digit->high == 0 || span % c == 0)) {
      Linear shifted = quotient(linear(digit->of), *low);
      add(result, digit->high == 0 ? shifted : remainder(shifted, span / c), 1);
      return result;
    }
  }
  add_term(result, floor_div(to_sorted_expr(rest), Expr(c)), 1);
  return result;
}

// The same cases: with R = g*S + T it is g*floormod(S, c/g) + T.
Linear Simplifier::remainder(const Linear& a, std::int64_t c) {
  if (c == 1) return constant_sum(0);
  Linear rest = split(a, c).rest;
  if (const Interval range = bounds(rest); lies_in_one_block(range, c)) {
    rest.constant -= floor_div(range.min, c) * c;
    return rest;
  }
  for (const std::int64_t g : shared_divisors(rest, c)) {
    auto [multiple, inner] = split(rest, g);
    const Interval range = bounds(inner);
    if (range.min < 0 || range.max >= g) continue;
    add(inner, remainder(multiple, c / g), g);
    return inner;
  }
  const Expr* atom = as_atom(rest);
  if (const auto digit = atom ? as_digit(*atom) : std::nullopt) {
    if (digit->high != 0 && (digit->high / digit->low) % c == 0) {
      return remainder(quotient(linear(digit->of), digit->low), c);
    }
  }
  return atom_sum(floor_mod(to_sorted_expr(rest), Expr(c)));
}

}  // namespace hone::ir
