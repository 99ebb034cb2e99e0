#include "schedule/access.h"

#include <algorithm>

#include "base/error.h"

namespace hone::schedule {
namespace {

using ir::BinaryOp;

class SumMaker {
 public:
  SumMaker(Vars& vars, const AxisValues& axes, const std::function<ir::Expr(const ir::Expr&)>& rest)
      : vars_(vars), axes_(axes), rest_(rest) {}

  Sum run(const ir::Expr& e) {
    if (const auto value = ir::as_int(e)) return constant(*value);
    if (e.as<ir::Variable>()) {
      for (const AxisValue& axis : axes_) {
        if (axis.axis == e.get()) return axis.value;
      }
    }
    const auto* binary = e.as<ir::Binary>();
    return binary != nullptr && e.type() == ir::kIndex ? run(e, *binary) : opaque(e);
  }

 private:
  Sum opaque(const ir::Expr& e) { return variable(vars_, vars_.opaque(rest_ ? rest_(e) : e)); }

  Sum run(const ir::Expr& e, const ir::Binary& binary) {
    Sum a = run(binary.a);
    const Sum b = run(binary.b);
    switch (binary.op) {
      case BinaryOp::Add:
        add(vars_, a, b);
        return a;
      case BinaryOp::Sub:
        add(vars_, a, b, -1);
        return a;
      case BinaryOp::Mul:
        return a.is_constant() ? product(b, a.constant) : multiply(e, a, b);
      case BinaryOp::Min:
        return least(e, a, b);
      case BinaryOp::Max:
        return least(e, b, a);
      default:
        return divide(e, binary.op, a, b);
    }
  }

  Sum product(const Sum& a, std::int64_t factor) {
    Sum out;
    add(vars_, out, a, factor);
    return out;
  }

  Sum multiply(const ir::Expr& e, const Sum& a, const Sum& b) {
    return b.is_constant() ? product(a, b.constant) : opaque(e);
  }

  // Whichever is never above the other.
  Sum least(const ir::Expr& e, const Sum& a, const Sum& b) {
    Sum distance = b;
    add(vars_, distance, a, -1);
    const Limits values = limits(vars_, distance);
    if (!values.is_known() || (values.min < 0 && values.max > 0)) return opaque(e);
    const bool a_is_least = values.min >= 0;
    return a_is_least == (e.as<ir::Binary>()->op == BinaryOp::Min) ? a : b;
  }

  Sum divide(const ir::Expr& e, BinaryOp op, const Sum& a, const Sum& b) {
    if (!b.is_constant() || b.constant <= 0) return opaque(e);
    // Truncation is floor where nothing is negative.
    const Limits values = limits(vars_, a);
    const bool truncates = op == BinaryOp::Div || op == BinaryOp::Mod;
    if (truncates && (!values.is_known() || values.min < 0)) return opaque(e);
    if (op == BinaryOp::FloorDiv || op == BinaryOp::Div) return floor_div(vars_, a, b.constant);
    if (op == BinaryOp::FloorMod || op == BinaryOp::Mod) return floor_mod(vars_, a, b.constant);
    return opaque(e);
  }

  Vars& vars_;
  const AxisValues& axes_;
  const std::function<ir::Expr(const ir::Expr&)>& rest_;
};

class ReadCollector {
 public:
  ReadCollector(const State& state, Bounds& bounds) : state_(state), bounds_(bounds) {}

  void visit_op(const task::Op& op, const AxisValues& axes) {
    for (const ir::Expr& body : op.body) {
      ir::visit(body, [&](const ir::Expr& e) {
        if (const auto* load = e.as<ir::Load>()) visit_load(*load, axes);
      });
    }
  }
  std::vector<Read> take() { return std::move(reads_); }

 private:
  void visit_load(const ir::Load& load, const AxisValues& axes) {
    const int producer = state_.task->producer(load.buffer);
    check(producer >= 0, "every tensor of a task is made by an op of it");
    const auto id = static_cast<std::size_t>(producer);
    std::vector<Sum> index;
    index.reserve(load.index.size());
    for (const ir::Expr& e : load.index) index.push_back(to_sum(bounds_.vars, e, axes));
    if (state_.stages[id].location != Location::Inlined) {
      reads_.push_back({producer, std::move(index)});
      return;
    }
    const task::Op& op = state_.task->ops[id];
    AxisValues inner;
    for (std::size_t i = 0; i < op.axes.size(); ++i) {
      inner.push_back({op.axes[i].var.get(), std::move(index[i])});
    }
    visit_op(op, inner);
  }

  const State& state_;
  Bounds& bounds_;
  std::vector<Read> reads_;
};

}  // namespace

Sum to_sum(Vars& vars, const ir::Expr& e, const AxisValues& axes,
           const std::function<ir::Expr(const ir::Expr&)>& rest) {
  return SumMaker(vars, axes, rest).run(e);
}

std::vector<Read> reads_of(const State& state, int stage, Bounds& bounds) {
  const task::Op& op = state.task->ops[static_cast<std::size_t>(stage)];
  AxisValues axes;
  axes.reserve(op.axes.size() + op.reduce_axes.size());
  Var var = bounds.stages[static_cast<std::size_t>(stage)].first_axis;
  for (const auto* list : {&op.axes, &op.reduce_axes}) {
    for (const task::Axis& axis : *list) {
      axes.push_back({axis.var.get(), variable(bounds.vars, var++)});
    }
  }
  ReadCollector collector(state, bounds);
  collector.visit_op(op, axes);
  return collector.take();
}

}  // namespace hone::schedule
