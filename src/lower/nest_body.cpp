#include "lower/nest_body.h"

#include <cstdlib>

#include "base/error.h"

namespace hone::lower {

using schedule::AxisValues;
using schedule::Digit;
using schedule::Sum;

NestBody::NestBody(const schedule::State& state, schedule::Vars& vars)
    : state_(state), vars_(vars), storage_(state.stages.size()) {
  const auto& last = state.bounds.stages.back();
  const std::size_t n_loops = state.stages.back().loops.size();
  loops_.resize(static_cast<std::size_t>(last.first_var) + n_loops);
}

ir::Expr NestBody::to_expr(const Digit& digit) const {
  ir::Expr value;
  if (const Sum* sum = vars_.sum_of(digit.var)) {
    value = to_expr(*sum);
  } else if (const ir::Expr& other = vars_.expr_of(digit.var)) {
    value = other;
  } else {
    value = loops_[static_cast<std::size_t>(digit.var)];
    check(static_cast<bool>(value), "an expression uses loops that are open");
  }
  if (digit.upper != 0) value = ir::floor_mod(value, digit.upper);
  if (digit.lower != 1) value = ir::floor_div(value, digit.lower);
  return value;
}

ir::Expr NestBody::to_expr(const Sum& sum) const {
  ir::Expr total;
  const auto append = [&](ir::Expr term, bool negative) {
    if (!total)
      total = negative ? ir::Expr(0) - term : term;
    else
      total = negative ? total - term : total + term;
  };
  for (const Digit& digit : sum.digits) {
    const std::int64_t scale = std::abs(digit.scale);
    append(scale == 1 ? to_expr(digit) : to_expr(digit) * ir::Expr(scale), digit.scale < 0);
  }
  if (sum.constant != 0 || !total) append(ir::Expr(std::abs(sum.constant)), sum.constant < 0);
  return total;
}

bool NestBody::is_below(const Sum& sum, std::int64_t end) const {
  const schedule::Limits values = schedule::limits(vars_, sum);
  return values.is_known() && values.max < end;
}

ir::Expr NestBody::value(const ir::Expr& body, const AxisValues& axes) {
  const bool is_sum = body.as<ir::Variable>() || body.as<ir::Binary>();
  return is_sum && body.type() == ir::kIndex ? to_expr(sum(body, axes)) : rebuilt(body, axes);
}

Sum NestBody::sum(const ir::Expr& e, const AxisValues& axes) {
  return schedule::to_sum(vars_, e, axes, [&](const ir::Expr& part) { return rebuilt(part, axes); });
}

ir::Expr NestBody::rebuilt(const ir::Expr& e, const AxisValues& axes) {
  if (const auto* load = e.as<ir::Load>()) return read(*load, axes);
  return ir::map_children(e, [&](const ir::Expr& child) { return value(child, axes); });
}

ir::Expr NestBody::read(const ir::Load& load, const AxisValues& axes) {
  const int producer = state_.task->producer(load.buffer);
  check(producer >= 0, "every tensor of a task is made by an op of it");
  const auto id = static_cast<std::size_t>(producer);
  const task::Op& op = state_.task->ops[id];
  const Storage& storage = storage_[id];
  if (storage.packed) {
    std::vector<ir::Expr> index;
    for (const Digit& digit : storage.packed->index) index.push_back(to_expr(digit));
    return ir::load(storage.buffers.front(), std::move(index));
  }
  std::vector<Sum> at;
  at.reserve(load.index.size());
  for (const ir::Expr& e : load.index) at.push_back(sum(e, axes));
  std::size_t output = 0;
  while (op.outputs[output] != load.buffer) ++output;
  if (state_.stages[id].location != schedule::Location::Inlined) {
    return ir::load(storage.buffers[output], index(producer, at));
  }
  AxisValues inner;
  for (std::size_t a = 0; a < op.axes.size(); ++a) inner.push_back({op.axes[a].var.get(), at[a]});
  return value(op.body[output], inner);
}

std::vector<ir::Expr> NestBody::index(int stage, const std::vector<Sum>& values) const {
  const Storage& storage = storage_[static_cast<std::size_t>(stage)];
  const std::size_t rank = storage.buffers.front()->shape.size();
  std::vector<ir::Expr> index;
  index.reserve(rank);
  for (std::size_t a = 0; a < rank; ++a) {
    Sum at = values[a];
    if (!storage.base.empty()) schedule::add(vars_, at, storage.base[a], -1);
    index.push_back(to_expr(at));
  }
  return index;
}

}  // namespace hone::lower
