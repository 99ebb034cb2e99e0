// Conditions as lists of linear inequalities, the form in which partition and clip reason about them.
#pragma once
#include <vector>

#include "ir/simplify.h"

namespace hone::lower {

// One conjunct: `form >= 0`, or any other bool expression when `opaque` is set.
struct Conjunct {
  ir::Linear form;
  ir::Expr opaque;
};

// The condition as conjuncts that must all hold.
std::vector<Conjunct> conjuncts(const ir::Expr& condition, const ir::Ranges& ranges);
ir::Expr to_condition(const Conjunct& conjunct);
ir::Expr to_condition(const std::vector<Conjunct>& conjuncts);  // true when empty

bool equal(const Conjunct& a, const Conjunct& b);
bool equal(const ir::Linear& a, const ir::Linear& b);
bool uses(const Conjunct& conjunct, const ir::Expr& variable);
ir::Interval bounds(const ir::Linear& form, const ir::Ranges& ranges);

}  // namespace hone::lower
