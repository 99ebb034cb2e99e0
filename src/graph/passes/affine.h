// Which expressions are straight lines.
#pragma once
#include <optional>

#include "ir/expr.h"

namespace hone::graph {

// scale * x + shift, neither of which has x in it.
struct Affine {
  ir::Expr scale, shift;
};

// A float expression as a straight line in the variable x, or nothing when it is none. Rounding is
// taken not to matter.
std::optional<Affine> affine(const ir::Expr& e, const ir::Expr& x);

// Whether the expression is this number.
bool is_number(const ir::Expr& e, double number);

}  // namespace hone::graph
