// TVM's FLOP count: what its records and reports mean by GFLOP/s.
#include <algorithm>

#include "task/analysis.h"

namespace hone::task {
namespace {

enum class TypeClass { Int, UInt, Float, BFloat };  // bool counts as an unsigned integer
TypeClass class_of(ir::Type type) {
  if (type.scalar == ir::Scalar::BF16) return TypeClass::BFloat;
  if (ir::is_float(type.scalar)) return TypeClass::Float;
  return ir::is_signed_int(type.scalar) ? TypeClass::Int : TypeClass::UInt;
}

// An operation counts when one of its operands has the type class of the op's output: index arithmetic
// and padding conditions drop out. Functions cost nothing beyond their arguments.
double flop_of(const ir::Expr& e, TypeClass counted) {
  const auto of = [&](const ir::Expr& part) { return flop_of(part, counted); };
  const auto counts = [&](const ir::Expr& part) { return class_of(part.type()) == counted; };
  return ir::match(
      e, [](const ir::IntImm&) { return 0.0; }, [](const ir::FloatImm&) { return 0.0; },
      [](const ir::Variable&) { return 0.0; }, [](const ir::Load&) { return 0.0; },
      [&](const ir::Not& n) { return (counts(e) ? 1.0 : 0.0) + of(n.a); },
      [&](const ir::Binary& n) { return (counts(n.a) || counts(n.b) ? 1.0 : 0.0) + of(n.a) + of(n.b); },
      [&](const ir::Select& n) {
        const double then_flop = of(n.then_value), else_flop = of(n.else_value);
        // TVM sees its if_then_else as a call, so both branches count.
        const double branches = n.lazy ? then_flop + else_flop : std::max(then_flop, else_flop);
        return of(n.condition) + branches;
      },
      [&](const ir::Call& n) {
        double sum = 0;
        for (const ir::Expr& arg : n.args) sum += of(arg);
        return sum;
      },
      [&](const ir::Cast& n) { return of(n.value); }, [&](const ir::Ramp& n) { return of(n.base); },
      [&](const ir::Broadcast& n) { return of(n.value); });
}

double flop_per_element(const Op& op) {
  const TypeClass counted = class_of(op.output()->type);
  double flop = 0;
  for (const ir::Expr& body : op.body) flop += flop_of(body, counted);
  if (op.reducer == Reducer::None) return flop;
  std::vector<ir::Expr> left, right;
  for (const ir::Expr& body : op.body) {
    left.push_back(ir::variable("left", body.type()));
    right.push_back(ir::variable("right", body.type()));
  }
  for (const ir::Expr& result : combine(op.reducer, left, right)) flop += flop_of(result, counted);
  for (const Axis& axis : op.reduce_axes) flop *= static_cast<double>(axis.extent);
  // TVM repeats the whole reduction in the body of each output.
  return flop * static_cast<double>(op.body.size());
}

}  // namespace

double flop_count(const Task& task) {
  double total = 0;
  for (const Op& op : task.ops) {
    if (op.is_placeholder()) continue;
    double flop = flop_per_element(op);
    for (const Axis& axis : op.axes) flop *= static_cast<double>(axis.extent);
    total += op.hints.flop.value_or(flop);
  }
  return total;
}

}  // namespace hone::task
