// Expressions as keys, by what they say.
#pragma once
#include "ir/expr.h"

namespace hone::ir {

struct ExprHash {
  std::size_t operator()(const Expr& e) const { return hash(e); }
};
struct ExprEqual {
  bool operator()(const Expr& a, const Expr& b) const { return equal(a, b); }
};

}  // namespace hone::ir
