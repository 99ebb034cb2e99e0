// Vectors: broadcasts move outwards, ramps absorb what is the same in every lane.
#include "ir/arithmetic.h"
#include "ir/interval.h"
#include "ir/simplifier.h"

namespace hone::ir {
namespace {

// The one scalar in all lanes; empty when the lanes differ.
Expr uniform_value(const Expr& e) {
  const auto* n = e.as<Broadcast>();
  return n ? n->value : Expr();
}

bool has_uniform_operands(const Expr& e) {
  bool all_uniform = true;
  map_children(e, [&](const Expr& child) {
    all_uniform &= child.type().lanes == 1 || uniform_value(child);
    return child;
  });
  return all_uniform;
}

// The scalar operation on what the operands broadcast.
Expr on_scalars(const Expr& e) {
  const auto scalar_of = [](const Expr& child) {
    return child.type().lanes == 1 ? child : uniform_value(child);
  };
  return map_children(e, scalar_of);
}

}  // namespace

Expr Simplifier::rewrite_vector(const Expr& e) {
  if (e.as<Variable>()) return e;
  if (const auto* n = e.as<Broadcast>()) return broadcast(simplify(n->value), e.type().lanes);
  if (const auto* n = e.as<Ramp>()) {
    const Expr base = simplify(n->base), stride = simplify(n->stride);
    return is_int(stride, 0) ? broadcast(base, e.type().lanes) : ramp(base, stride, e.type().lanes);
  }
  const Expr simple = map_children(e, [this](const Expr& child) { return simplify(child); });
  const bool is_elementwise = !simple.as<Load>();
  if (is_elementwise && has_uniform_operands(simple)) {
    return broadcast(simplify(on_scalars(simple)), e.type().lanes);
  }
  if (const auto* n = simple.as<Binary>()) {
    if (Expr combined = combine_ramps(n->op, n->a, n->b)) return combined;
    if (Expr shorter = without_neutral(n->op, n->a, n->b)) return shorter;
    if (compares(n->op)) return compare_lanes(n->op, simple);
  }
  if (const auto* n = simple.as<Select>()) {
    if (const Expr condition = uniform_value(n->condition)) {
      return simplify(select(condition, n->then_value, n->else_value, n->lazy));
    }
    if (const auto known = as_int(n->condition)) return *known != 0 ? n->then_value : n->else_value;
    if (equal(n->then_value, n->else_value)) return n->then_value;
  }
  return simple;
}

// Empty when the result is no ramp or broadcast.
Expr Simplifier::combine_ramps(BinaryOp op, const Expr& a, const Expr& b) {
  const auto* x = a.as<Ramp>();
  const auto* y = b.as<Ramp>();
  if ((!x && !y) || a.type().scalar != Scalar::I64) return {};
  const int lanes = a.type().lanes;
  const Expr u = uniform_value(a), v = uniform_value(b);
  const auto made = [&](const Expr& base, const Expr& stride) {
    return simplify(ramp(base, stride, lanes));
  };
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
      if ((!x && !u) || (!y && !v)) return {};
      return made(binary(op, x ? x->base : u, y ? y->base : v),
                  binary(op, x ? x->stride : Expr(0), y ? y->stride : Expr(0)));
    case BinaryOp::Mul:
      if (x && v) return made(x->base * v, x->stride * v);
      return y && u ? made(u * y->base, u * y->stride) : Expr();
    case BinaryOp::FloorDiv:
    case BinaryOp::FloorMod:
      return x && v ? divide_ramp(op, a, v) : Expr();
    default:
      return {};
  }
}

Expr Simplifier::divide_ramp(BinaryOp op, const Expr& dividend, const Expr& divisor) {
  const auto& n = *dividend.as<Ramp>();
  const auto* stride = n.stride.as<IntImm>();
  const auto* c = divisor.as<IntImm>();
  if (!stride || !c || c->value <= 0) return {};
  const int lanes = dividend.type().lanes;
  const bool divides = op == BinaryOp::FloorDiv;
  const Expr base = simplify(binary(op, n.base, divisor));
  if (stride->value % c->value == 0) {
    return simplify(ramp(base, divides ? Expr(stride->value / c->value) : Expr(0), lanes));
  }
  // Or no lane leaves the block of the first one.
  const Interval in_block =
      bounds(floor_mod(n.base, divisor)) + point(stride->value) * Interval{0, lanes - 1};
  if (!within(in_block, {0, c->value - 1})) return {};
  return simplify(ramp(base, divides ? Expr(0) : Expr(stride->value), lanes));
}

// Decided when all lanes agree.
Expr Simplifier::compare_lanes(BinaryOp op, const Expr& comparison) {
  const auto& n = *comparison.as<Binary>();
  if (is_float(n.a.type().scalar)) return comparison;
  const Expr difference = combine_ramps(BinaryOp::Sub, n.a, n.b);
  const Expr answer = difference ? rewrite_compare(op, difference, constant(0, difference.type()))
                                 : rewrite_compare(op, n.a, n.b);
  const auto known = as_int(answer);
  return known ? broadcast(bool_imm(*known != 0), comparison.type().lanes) : comparison;
}

}  // namespace hone::ir
