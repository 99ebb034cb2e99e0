// Scalars that are no indices: conditions, selections, casts, floats and narrow integers.
#include "ir/simplify.h"

#include <cmath>

#include "ir/arithmetic.h"
#include "ir/interval.h"
#include "ir/linear.h"
#include "ir/simplifier.h"

namespace hone::ir {
namespace {

std::optional<double> as_float(const Expr& e) {
  const auto* imm = e.as<FloatImm>();
  return imm ? std::optional(imm->value) : std::nullopt;
}

// Whether the number, or each lane of the vector, is this one.
bool is_literal(const Expr& e, double value) {
  if (const auto* lanes = e.as<Broadcast>()) return is_literal(lanes->value, value);
  const auto f = as_float(e);
  const auto i = as_int(e);
  return (f && *f == value) || (i && static_cast<double>(*i) == value);
}

// x of x*-1 in floats.
std::optional<Expr> negated(const Expr& e) {
  const auto* product = e.as<Binary>();
  if (!product || product->op != BinaryOp::Mul || !is_float(e.type().scalar)) return std::nullopt;
  if (is_literal(product->b, -1)) return product->a;
  if (is_literal(product->a, -1)) return product->b;
  return std::nullopt;
}

// Arithmetic that is no index arithmetic, on operands that are simplified.
Expr fold_arithmetic(BinaryOp op, const Expr& a, const Expr& b) {
  const Scalar scalar = a.type().scalar;
  const auto ia = as_int(a), ib = as_int(b);
  if (ia && ib && !(divides(op) && *ib == 0)) return int_imm(evaluate(op, scalar, *ia, *ib), a.type());
  const auto fa = as_float(a), fb = as_float(b);
  if (fa && fb) return float_imm(evaluate(op, scalar, *fa, *fb), a.type());
  if (Expr simple = without_neutral(op, a, b)) return simple;
  if ((op == BinaryOp::Min || op == BinaryOp::Max) && equal(a, b)) return a;
  if (is_int(scalar) && op == BinaryOp::Mul && (is_literal(a, 0) || is_literal(b, 0))) {
    return int_imm(0, a.type());
  }
  return binary(op, a, b);
}

// A literal in another type; empty where the value does not fit and the machine decides.
std::optional<Expr> fold_cast(Type type, const Expr& value) {
  if (const auto i = as_int(value)) {
    if (!is_float(type.scalar)) return int_imm(*i, type);
    if (value.type().scalar == Scalar::U64 && *i < 0) return std::nullopt;
    return float_imm(static_cast<double>(*i), type);
  }
  const auto f = as_float(value);
  if (!f) return std::nullopt;
  if (is_float(type.scalar)) return float_imm(*f, type);
  if (type.scalar == Scalar::Bool) return bool_imm(*f != 0);
  const double whole = std::trunc(*f);
  const bool fits = whole >= static_cast<double>(min_value(type.scalar)) &&
                    whole < static_cast<double>(max_value(type.scalar));
  return fits ? std::optional(int_imm(static_cast<std::int64_t>(whole), type)) : std::nullopt;
}

}  // namespace

Expr without_neutral(BinaryOp op, const Expr& a, const Expr& b) {
  const bool is_sum = op == BinaryOp::Add || op == BinaryOp::Sub;
  if (is_literal(b, 0) && is_sum) return a;
  if (is_literal(a, 0) && op == BinaryOp::Add) return b;
  if (is_literal(b, 1) && (op == BinaryOp::Mul || op == BinaryOp::Div)) return a;
  if (is_literal(a, 1) && op == BinaryOp::Mul) return b;
  if (const auto x = is_sum ? negated(b) : std::nullopt) return op == BinaryOp::Add ? a - *x : a + *x;
  return {};
}

Expr Simplifier::simplify(const Expr& e) {
  if (e.as<IntImm>() || e.as<FloatImm>()) return e;
  if (e.as<Variable>() && e.type() != kIndex) return e;
  const auto found = simplified_.find(e.get());
  if (found != simplified_.end()) return found->second.value;
  Expr result;
  if (e.type() == kIndex) {
    result = to_sorted_expr(linear(e));
  } else {
    result = e.type().lanes > 1 ? rewrite_vector(e) : rewrite_scalar(e);
  }
  if (equal(result, e)) result = e;
  simplified_.emplace(e.get(), Known<Expr>{e, result});
  return result;
}

std::optional<std::int64_t> Simplifier::value_of(const Expr& e) const {
  if (const auto literal = as_int(e)) return literal;
  if (e.as<Variable>()) {
    const auto range = ranges_.find(e.get());
    const bool is_known = range != ranges_.end() && range->second.is_point();
    return is_known ? std::optional(range->second.min) : std::nullopt;
  }
  const auto* n = e.as<Binary>();
  const auto a = n ? value_of(n->a) : std::nullopt, b = a ? value_of(n->b) : std::nullopt;
  if (!b || (divides(n->op) && *b == 0)) return std::nullopt;
  return evaluate(n->op, Scalar::I64, *a, *b);
}

Expr Simplifier::rewrite_scalar(const Expr& e) {
  const auto with_simple_children = [&](const auto&) {
    return map_children(e, [this](const Expr& child) { return simplify(child); });
  };
  return match(
      e, [&](const IntImm&) { return e; }, [&](const FloatImm&) { return e; },
      [&](const Variable&) { return e; }, [&](const Not& n) { return rewrite_not(n.a); },
      [&](const Binary& n) {
        if (compares(n.op) && n.a.type() == kIndex) {
          const auto known_a = value_of(n.a), known_b = known_a ? value_of(n.b) : std::nullopt;
          if (known_b) return bool_imm(evaluate(n.op, Scalar::I64, *known_a, *known_b) != 0);
        }
        const Expr a = simplify(n.a);
        if (n.op == BinaryOp::And && is_int(a, 0)) return a;
        const Expr b = simplify(n.b);
        if (n.op == BinaryOp::And) return rewrite_and(a, b);
        if (n.op == BinaryOp::Or) return rewrite_or(a, b);
        return compares(n.op) ? rewrite_compare(n.op, a, b) : fold_arithmetic(n.op, a, b);
      },
      [&](const Select&) { return rewrite_select(e); },
      [&](const Call& n) { return with_simple_children(n); },
      [&](const Cast&) { return rewrite_cast(e); },
      [&](const Load& n) { return with_simple_children(n); },
      [&](const Ramp& n) { return with_simple_children(n); },
      [&](const Broadcast& n) { return with_simple_children(n); });
}

Expr Simplifier::rewrite_select(const Expr& e) {
  const auto& n = *e.as<Select>();
  const Expr condition = simplify(n.condition);
  if (const auto known = as_int(condition)) return simplify(*known != 0 ? n.then_value : n.else_value);
  const Expr then_value = simplify(n.then_value), else_value = simplify(n.else_value);
  if (equal(then_value, else_value)) return then_value;
  if (is_int(then_value, 1) && is_int(else_value, 0) && e.type() == kBool) return condition;
  if (const auto* inverted = condition.as<Not>())
    return select(inverted->a, else_value, then_value, n.lazy);
  return select(condition, then_value, else_value, n.lazy);
}

Expr Simplifier::rewrite_cast(const Expr& e) {
  const Expr value = simplify(e.as<Cast>()->value);
  if (const auto folded = fold_cast(e.type(), value)) return *folded;
  return cast(e.type(), value);
}

Expr simplify(const Expr& e, const Ranges& ranges) { return Simplifier(ranges).simplify(e); }

Interval bounds(const Expr& e, const Ranges& ranges) { return Simplifier(ranges).bounds(e); }

Linear linear(const Expr& e, const Ranges& ranges) { return Simplifier(ranges).linear(e); }

std::optional<bool> decide(const Expr& condition, const Ranges& ranges) {
  const Expr simple = simplify(condition, ranges);
  const auto* every_lane = simple.as<Broadcast>();
  const auto value = as_int(every_lane ? every_lane->value : simple);
  return value ? std::optional(*value != 0) : std::nullopt;
}

}  // namespace hone::ir
