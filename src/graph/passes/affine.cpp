#include "graph/passes/affine.h"

#include "ir/simplify.h"

namespace hone::graph {
namespace {

using ir::BinaryOp;
using ir::Expr;

Affine simplified(Expr scale, Expr shift) { return {ir::simplify(scale), ir::simplify(shift)}; }

std::optional<Affine> times(const std::optional<Affine>& line, const Expr& factor, BinaryOp op) {
  if (!line) return std::nullopt;
  // 0 times a factor is not simplified away for floats, and a shift of 0 is worth knowing.
  const Expr shift = is_number(line->shift, 0) ? line->shift : ir::binary(op, line->shift, factor);
  return simplified(ir::binary(op, line->scale, factor), shift);
}

}  // namespace

bool is_number(const Expr& e, double number) {
  const auto* real = e.as<ir::FloatImm>();
  return real && real->value == number;
}

std::optional<Affine> affine(const Expr& e, const Expr& x) {
  if (!ir::is_float(e.type().scalar)) return std::nullopt;
  const Expr zero = ir::float_imm(0, e.type()), one = ir::float_imm(1, e.type());
  if (e.same(x)) return Affine{one, zero};
  if (!ir::uses(e, x)) return Affine{zero, e};
  const auto* n = e.as<ir::Binary>();
  if (!n) return std::nullopt;
  if (n->op == BinaryOp::Mul && !ir::uses(n->a, x)) return times(affine(n->b, x), n->a, BinaryOp::Mul);
  if (n->op == BinaryOp::Mul && !ir::uses(n->b, x)) return times(affine(n->a, x), n->b, BinaryOp::Mul);
  if (n->op == BinaryOp::Div && !ir::uses(n->b, x)) return times(affine(n->a, x), n->b, BinaryOp::Div);
  if (n->op != BinaryOp::Add && n->op != BinaryOp::Sub) return std::nullopt;
  const auto a = affine(n->a, x), b = affine(n->b, x);
  if (!a || !b) return std::nullopt;
  return simplified(ir::binary(n->op, a->scale, b->scale), ir::binary(n->op, a->shift, b->shift));
}

}  // namespace hone::graph
