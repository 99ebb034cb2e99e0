#include "lower/condition.h"

#include <algorithm>

namespace hone::lower {
namespace {

using ir::BinaryOp;
using ir::Expr;

// larger - smaller - slack >= 0
Conjunct at_least(const Expr& larger, const Expr& smaller, std::int64_t slack,
                  const ir::Ranges& ranges) {
  ir::Linear form = ir::linear(larger - smaller, ranges);
  form.constant -= slack;
  return {std::move(form), {}};
}

void collect(const Expr& condition, const ir::Ranges& ranges, std::vector<Conjunct>& out) {
  const auto* op = condition.as<ir::Binary>();
  const bool on_index = op && op->a.type() == ir::kIndex;
  if (op && op->op == BinaryOp::And) {
    collect(op->a, ranges, out);
    collect(op->b, ranges, out);
  } else if (on_index && op->op == BinaryOp::Ge) {
    out.push_back(at_least(op->a, op->b, 0, ranges));
  } else if (on_index && op->op == BinaryOp::Gt) {
    out.push_back(at_least(op->a, op->b, 1, ranges));
  } else if (on_index && op->op == BinaryOp::Le) {
    out.push_back(at_least(op->b, op->a, 0, ranges));
  } else if (on_index && op->op == BinaryOp::Lt) {
    out.push_back(at_least(op->b, op->a, 1, ranges));
  } else {
    out.push_back({{}, condition});
  }
}

}  // namespace

std::vector<Conjunct> conjuncts(const Expr& condition, const ir::Ranges& ranges) {
  std::vector<Conjunct> out;
  collect(condition, ranges, out);
  return out;
}

Expr to_condition(const Conjunct& conjunct) {
  return conjunct.opaque ? conjunct.opaque : ir::to_expr(conjunct.form) >= ir::int_imm(0);
}

Expr to_condition(const std::vector<Conjunct>& all) {
  Expr condition = ir::bool_imm(true);
  for (std::size_t i = 0; i < all.size(); ++i) {
    condition = i == 0 ? to_condition(all[i]) : ir::logical_and(condition, to_condition(all[i]));
  }
  return condition;
}

bool equal(const ir::Linear& a, const ir::Linear& b) {
  if (a.constant != b.constant || a.terms.size() != b.terms.size()) return false;
  return std::all_of(a.terms.begin(), a.terms.end(), [&](const ir::Linear::Term& term) {
    return std::any_of(b.terms.begin(), b.terms.end(), [&](const ir::Linear::Term& other) {
      return term.coefficient == other.coefficient && ir::equal(term.atom, other.atom);
    });
  });
}

bool equal(const Conjunct& a, const Conjunct& b) {
  if (a.opaque || b.opaque) return a.opaque && b.opaque && ir::equal(a.opaque, b.opaque);
  return equal(a.form, b.form);
}

bool uses(const Conjunct& conjunct, const Expr& variable) {
  if (conjunct.opaque) return ir::uses(conjunct.opaque, variable);
  return std::any_of(conjunct.form.terms.begin(), conjunct.form.terms.end(),
                     [&](const ir::Linear::Term& term) { return ir::uses(term.atom, variable); });
}

ir::Interval bounds(const ir::Linear& form, const ir::Ranges& ranges) {
  return ir::bounds(ir::to_expr(form), ranges);
}

}  // namespace hone::lower
