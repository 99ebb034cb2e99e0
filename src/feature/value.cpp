#include "feature/value.h"

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "feature/index.h"

namespace hone::feature {

using ir::BinaryOp;
using schedule::AxisValues;
using schedule::Digit;
using schedule::Sum;

void ValueReader::read(const ir::Expr& value, const AxisValues& axes) {
  ir::match(
      value, [](const ir::IntImm&) {}, [](const ir::FloatImm&) {},
      [&](const ir::Variable&) { count_index(index_sum(value, axes)); },
      [&](const ir::Not& n) {
        ++store_->operations.logical;
        read(n.a, axes);
      },
      [&](const ir::Binary& n) { read_binary(value, n, axes); },
      [&](const ir::Select& n) { read_select(value, n, axes); },
      [&](const ir::Call& n) {
        ++arithmetic(value.type()).function;
        for (const ir::Expr& argument : n.args) read(argument, axes);
      },
      [&](const ir::Cast& n) { read(n.value, axes); }, [&](const ir::Load& n) { read_load(n, axes); },
      [](const ir::Ramp&) { fail("no vectors in a task"); },
      [](const ir::Broadcast&) { fail("no vectors in a task"); });
}

void ValueReader::read_binary(const ir::Expr& e, const ir::Binary& n, const AxisValues& axes) {
  if (e.type() == ir::kIndex) return count_index(index_sum(e, axes));
  if (is_neutral(n)) return read(literal(n.b) ? n.a : n.b, axes);
  Operations::Arithmetic& counts = arithmetic(n.a.type());
  switch (n.op) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
      ++counts.addsub;
      break;
    case BinaryOp::Mul:
      ++counts.mul;
      break;
    case BinaryOp::Div:
    case BinaryOp::Mod:
    case BinaryOp::FloorDiv:
    case BinaryOp::FloorMod:
      ++counts.divmod;
      break;
    case BinaryOp::And:
    case BinaryOp::Or:
      // One side that is decided falls away; both are not, or the whole would be decided.
      if (facts_.decide(n.a, axes)) return read(n.b, axes);
      if (facts_.decide(n.b, axes)) return read(n.a, axes);
      ++store_->operations.logical;
      break;
    default:
      ++counts.compare;
      if (n.a.type() == ir::kIndex) return read_comparison(n, axes);
  }
  read(n.a, axes);
  read(n.b, axes);
}

// Terms are brought to one side and the constant to the other.
void ValueReader::read_comparison(const ir::Binary& n, const AxisValues& axes) {
  Sum distance = index_sum(n.a, axes);
  schedule::add(vars_, distance, index_sum(n.b, axes), -1);
  distance.constant = 0;
  // x div 58 >= 1 is tested as x >= 58.
  if (distance.digits.size() == 1 && distance.digits.front().upper == 0)
    distance.digits.front().lower = 1;
  count_index(distance);
}

void ValueReader::read_select(const ir::Expr& e, const ir::Select& n, const AxisValues& axes) {
  if (const auto known = facts_.decide(n.condition, axes)) {
    return read(*known ? n.then_value : n.else_value, axes);
  }
  store_->is_scalar = store_->is_scalar || n.lazy;
  ++(n.lazy ? arithmetic(e.type()).function : store_->operations.select);
  store_->operations.choices += n.lazy;
  read(n.condition, axes);
  read(n.then_value, axes);
  read(n.else_value, axes);
}

void ValueReader::read_load(const ir::Load& load, const AxisValues& axes) {
  const int producer = state_.task->producer(load.buffer);
  check(producer >= 0, "every tensor of a task is made by an op of it");
  const auto id = static_cast<std::size_t>(producer);
  const task::Op& op = state_.task->ops[id];
  const auto output = std::find(op.outputs.begin(), op.outputs.end(), load.buffer) - op.outputs.begin();
  if (producer == partial_stage_) {
    return add_access(partial_tensor_ + static_cast<int>(output), AccessKind::Read,
                      {schedule::constant(0)});
  }
  Index index;
  index.reserve(load.index.size());
  for (const ir::Expr& e : load.index) index.push_back(index_sum(e, axes));
  if (state_.stages[id].location == schedule::Location::Inlined) {
    if (op.hints.const_matrix) return;
    AxisValues inner;
    inner.reserve(op.axes.size());
    for (std::size_t a = 0; a < op.axes.size(); ++a) {
      inner.push_back({op.axes[a].var.get(), std::move(index[a])});
    }
    return read(op.body[static_cast<std::size_t>(output)], inner);
  }
  for (const Sum& sum : index) count_index(sum);
  add_access(first_tensor_[id] + static_cast<int>(output), AccessKind::Read, std::move(index));
}

void ValueReader::add_access(int tensor, AccessKind kind, Index index) {
  for (Access& access : store_->accesses) {
    if (access.tensor != tensor) continue;
    if (access.kind == kind) {
      access.indices.push_back(std::move(index));
    } else {
      access.kind = AccessKind::ReadWrite;  // an update reads what it writes
    }
    return;
  }
  store_->accesses.push_back({tensor, kind, {}});
  store_->accesses.back().indices.push_back(std::move(index));
}

// The operations of c + s1 * ((v1 mod u1) div l1) + ...
void ValueReader::count_index(const Sum& sum, const Digit& around) {
  Operations::Arithmetic& counts = store_->operations.ints;
  int terms = sum.constant != 0 ? 1 : 0;
  for (const Digit& digit : sum.digits) {
    ++terms;
    counts.mul += std::abs(scale_inside(digit.scale, around)) != 1;
    counts.divmod += (digit.lower != 1) + (digit.upper != 0);
    if (const Sum* inner = vars_.sum_of(digit.var)) count_index(*inner, digit);
  }
  counts.addsub += std::max(terms - 1, 0);
}

Sum ValueReader::index_sum(const ir::Expr& e, const AxisValues& axes) {
  return schedule::to_sum(vars_, e, axes, [&](const ir::Expr& part) {
    ir::for_each_child(part, [&](const ir::Expr& child) { read(child, axes); });
    return part;
  });
}

std::optional<double> ValueReader::literal(const ir::Expr& e) const {
  if (const auto* number = e.as<ir::FloatImm>()) return number->value;
  const auto* load = e.as<ir::Load>();
  if (load == nullptr) return std::nullopt;
  const auto producer = static_cast<std::size_t>(state_.task->producer(load->buffer));
  const bool is_constant = state_.task->ops[producer].hints.const_matrix &&
                           state_.stages[producer].location == schedule::Location::Inlined;
  return is_constant ? std::optional(1.0) : std::nullopt;
}

// x * 1, x + 0 and the like.
bool ValueReader::is_neutral(const ir::Binary& n) const {
  if (!ir::is_float(n.a.type().scalar)) return false;
  const auto a = literal(n.a), b = literal(n.b);
  if (n.op == BinaryOp::Mul) return a == 1.0 || b == 1.0;
  if (n.op == BinaryOp::Add) return a == 0.0 || b == 0.0;
  return false;
}

Operations::Arithmetic& ValueReader::arithmetic(ir::Type type) {
  return ir::is_float(type.scalar) ? store_->operations.floats : store_->operations.ints;
}

}  // namespace hone::feature
