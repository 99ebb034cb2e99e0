#include "ir/linear.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "ir/arithmetic.h"
#include "ir/print.h"

namespace hone::ir {
namespace {

std::int64_t wrapped_mul(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
std::int64_t wrapped_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::uint64_t magnitude(std::int64_t a) {
  return a < 0 ? -static_cast<std::uint64_t>(a) : static_cast<std::uint64_t>(a);
}

bool comes_before(const Linear::Term& a, const Linear::Term& b) {
  if (magnitude(a.coefficient) != magnitude(b.coefficient)) {
    return magnitude(a.coefficient) > magnitude(b.coefficient);
  }
  return precedes(a.atom, b.atom);
}

Expr multiple_of(const Expr& atom, std::int64_t coefficient) {
  return coefficient == 1 ? atom : atom * Expr(coefficient);
}

}  // namespace

const Expr* as_atom(const Linear& sum) {
  const bool is_atom = sum.terms.size() == 1 && sum.terms[0].coefficient == 1 && sum.constant == 0;
  return is_atom ? &sum.terms[0].atom : nullptr;
}

void add_term(Linear& sum, const Expr& atom, std::int64_t coefficient) {
  if (coefficient == 0) return;
  const auto found =
      std::ranges::find_if(sum.terms, [&](const Linear::Term& t) { return equal(t.atom, atom); });
  if (found == sum.terms.end()) {
    sum.terms.push_back({atom, coefficient});
    return;
  }
  found->coefficient = wrapped_add(found->coefficient, coefficient);
  if (found->coefficient == 0) sum.terms.erase(found);
}

void add(Linear& sum, const Linear& other, std::int64_t factor) {
  for (const Linear::Term& term : other.terms)
    add_term(sum, term.atom, wrapped_mul(term.coefficient, factor));
  sum.constant = wrapped_add(sum.constant, wrapped_mul(other.constant, factor));
}

Linear scaled(const Linear& sum, std::int64_t factor) {
  Linear result;
  add(result, sum, factor);
  return result;
}

Linear without(const Linear& sum, const Expr& atom) {
  Linear result = sum;
  std::erase_if(result.terms, [&](const Linear::Term& term) { return equal(term.atom, atom); });
  return result;
}

bool is_tame(const Linear& sum) {
  constexpr std::uint64_t kLimit = 1ULL << 52;
  return magnitude(sum.constant) < kLimit &&
         std::ranges::all_of(
             sum.terms, [](const Linear::Term& term) { return magnitude(term.coefficient) < kLimit; });
}

bool equal(const Linear& a, const Linear& b) {
  if (a.constant != b.constant || a.terms.size() != b.terms.size()) return false;
  return std::ranges::all_of(a.terms, [&](const Linear::Term& x) {
    return std::ranges::any_of(b.terms, [&](const Linear::Term& y) {
      return x.coefficient == y.coefficient && equal(x.atom, y.atom);
    });
  });
}

std::int64_t content(const Linear& sum) {
  std::uint64_t divisor = 0;
  for (const Linear::Term& term : sum.terms) divisor = std::gcd(divisor, magnitude(term.coefficient));
  return static_cast<std::int64_t>(divisor);
}

Parts split(const Linear& sum, std::int64_t c) {
  Parts parts;
  for (const Linear::Term& term : sum.terms) {
    const std::int64_t whole = term.coefficient / c, left = term.coefficient % c;
    if (whole != 0) parts.multiple.terms.push_back({term.atom, whole});
    if (left != 0) parts.rest.terms.push_back({term.atom, left});
  }
  parts.multiple.constant = floor_div(sum.constant, c);
  parts.rest.constant = floor_mod(sum.constant, c);
  return parts;
}

bool precedes(const Expr& a, const Expr& b) {
  const auto* x = a.as<Variable>();
  const auto* y = b.as<Variable>();
  if (x && y) return x->name < y->name;
  if (x || y) return x != nullptr;
  return print(a) < print(b);
}

// Begins with a positive part where there is one, so that 3 - x is not written x*-1 + 3.
Expr to_expr(const Linear& sum) {
  Expr result;
  for (const Linear::Term& term : sum.terms) {
    if (term.coefficient < 0) continue;
    Expr part = multiple_of(term.atom, term.coefficient);
    result = result ? result + part : part;
  }
  std::int64_t constant = sum.constant;
  if (!result && constant > 0) {
    result = Expr(constant);
    constant = 0;
  }
  for (const Linear::Term& term : sum.terms) {
    if (term.coefficient >= 0) continue;
    if (!result || term.coefficient == std::numeric_limits<std::int64_t>::min()) {
      Expr part = term.atom * Expr(term.coefficient);
      result = result ? result + part : part;
    } else {
      result = result - multiple_of(term.atom, -term.coefficient);
    }
  }
  if (!result) return Expr(constant);
  if (constant == 0) return result;
  const bool subtracts = constant < 0 && constant != std::numeric_limits<std::int64_t>::min();
  return subtracts ? result - Expr(-constant) : result + Expr(constant);
}

Expr to_sorted_expr(Linear sum) {
  if (sum.terms.size() > 1) std::ranges::stable_sort(sum.terms, comes_before);
  return to_expr(sum);
}

}  // namespace hone::ir
