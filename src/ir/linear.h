// Sums of multiples of atoms; coefficients wrap as the arithmetic they stand for.
#pragma once
#include "ir/simplify.h"

namespace hone::ir {

inline Linear constant_sum(std::int64_t value) { return {{}, value}; }
inline Linear atom_sum(Expr atom) { return {{{std::move(atom), 1}}, 0}; }
inline bool is_constant(const Linear& sum) { return sum.terms.empty(); }
// The atom of a sum that is nothing else, or null.
const Expr* as_atom(const Linear& sum);

void add(Linear& sum, const Linear& other, std::int64_t factor);  // sum += factor * other
void add_term(Linear& sum, const Expr& atom, std::int64_t coefficient);
Linear scaled(const Linear& sum, std::int64_t factor);
Linear without(const Linear& sum, const Expr& atom);
// Whether its numbers are so far from overflow that differences and quotients of such sums are exact.
bool is_tame(const Linear& sum);
bool equal(const Linear& a, const Linear& b);

// Greatest common divisor of the coefficients (not the constant); 0 for a constant.
std::int64_t content(const Linear& sum);

// sum = multiple * c + rest for a positive c. Coefficients of the rest are smaller than c in magnitude
// and keep their sign; its constant lies in [0, c).
struct Parts {
  Linear multiple, rest;
};
Parts split(const Linear& sum, std::int64_t c);

// The order of atoms with equal coefficients: variables by name, then the others by their text.
bool precedes(const Expr& a, const Expr& b);
// An expression with the terms in their one order: by falling coefficient, then as above.
Expr to_sorted_expr(Linear sum);

}  // namespace hone::ir
