#include "task/task.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_map>

#include "base/error.h"

namespace hone::task {
namespace {

double highest_float(ir::Scalar scalar) {
  switch (scalar) {
    case ir::Scalar::F16:
      return 65504.0;
    case ir::Scalar::BF16:
      return 0x1.fep127;
    case ir::Scalar::F32:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}

ir::Expr highest(ir::Type type) {
  if (ir::is_float(type.scalar)) return ir::constant(highest_float(type.scalar), type);
  if (type.scalar == ir::Scalar::Bool) return ir::bool_imm(true);
  const int value_bits = ir::bits(type.scalar) - (ir::is_signed_int(type.scalar) ? 1 : 0);
  return ir::int_imm(static_cast<std::int64_t>(~std::uint64_t{0} >> (64 - value_bits)), type);
}

ir::Expr lowest(ir::Type type) {
  if (ir::is_float(type.scalar)) return ir::constant(-highest_float(type.scalar), type);
  if (!ir::is_signed_int(type.scalar)) return ir::int_imm(0, type);
  return ir::int_imm(std::numeric_limits<std::int64_t>::min() >> (64 - ir::bits(type.scalar)), type);
}

bool has_index(Reducer reducer) { return reducer == Reducer::ArgMax || reducer == Reducer::ArgMin; }

}  // namespace

std::vector<int> Task::placeholders() const {
  std::vector<int> found;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (ops[i].is_placeholder()) found.push_back(static_cast<int>(i));
  }
  return found;
}

int Task::producer(const ir::Buffer& buffer) const {
  for (std::size_t i = 0; i < ops.size(); ++i) {
    for (const ir::Buffer& output : ops[i].outputs) {
      if (output == buffer) return static_cast<int>(i);
    }
  }
  return -1;
}

std::vector<int> Task::outputs() const {
  std::vector<bool> is_read(ops.size(), false);
  for (const Op& op : ops) {
    for (const ir::Expr& body : op.body) {
      ir::visit(body, [&](const ir::Expr& e) {
        const auto* load = e.as<ir::Load>();
        const int from = load ? producer(load->buffer) : -1;
        if (from >= 0) is_read[static_cast<std::size_t>(from)] = true;
      });
    }
  }
  std::vector<int> found;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (!is_read[i] && !ops[i].is_placeholder()) found.push_back(static_cast<int>(i));
  }
  return found;
}

std::vector<ir::Buffer> reads_of(const Op& op) {
  std::vector<ir::Buffer> found;
  const std::function<void(const ir::Expr&)> collect = [&](const ir::Expr& e) {
    ir::map_children(e, [&](const ir::Expr& child) {
      collect(child);
      return child;
    });
    const auto* load = e.as<ir::Load>();
    if (load && std::ranges::find(found, load->buffer) == found.end()) found.push_back(load->buffer);
  };
  for (const ir::Expr& body : op.body) collect(body);
  return found;
}

std::vector<Op> in_stage_order(std::vector<Op> ops) {
  std::unordered_map<const ir::BufferNode*, std::size_t> producer;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    for (const ir::Buffer& output : ops[i].outputs) producer[output.get()] = i;
  }
  std::vector<std::vector<std::size_t>> reads(ops.size());
  std::vector<bool> is_read(ops.size(), false);
  for (std::size_t i = 0; i < ops.size(); ++i) {
    for (const ir::Buffer& buffer : reads_of(ops[i])) {
      const auto found = producer.find(buffer.get());
      check(found != producer.end(), "an op reads a buffer that no op of the task makes");
      reads[i].push_back(found->second);
      is_read[found->second] = true;
    }
  }
  std::vector<Op> ordered;
  std::vector<bool> visited(ops.size(), false);
  const std::function<void(std::size_t)> place = [&](std::size_t i) {
    if (visited[i]) return;
    visited[i] = true;
    for (const std::size_t from : reads[i]) place(from);
    ordered.push_back(std::move(ops[i]));
  };
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (!is_read[i] && !ops[i].is_placeholder()) place(i);
  }
  return ordered;
}

ir::Expr identity_of(Reducer reducer, ir::Type type) {
  switch (reducer) {
    case Reducer::Sum:
      return ir::constant(0, type);
    case Reducer::Prod:
      return ir::constant(1, type);
    case Reducer::Max:
    case Reducer::ArgMax:
      return lowest(type);
    case Reducer::Min:
    case Reducer::ArgMin:
      return highest(type);
    case Reducer::None:
      break;
  }
  fail("an op without reducer has no identity");
}

ir::Expr combine(Reducer reducer, ir::Expr a, ir::Expr b) {
  switch (reducer) {
    case Reducer::Sum:
      return a + b;
    case Reducer::Prod:
      return a * b;
    case Reducer::Max:
      return ir::max(a, b);
    case Reducer::Min:
      return ir::min(a, b);
    default:
      fail("this reducer does not combine single values");
  }
}

std::vector<ir::Expr> identities_of(const Op& op) {
  const ir::Type value = op.outputs.back()->type;
  if (!has_index(op.reducer)) return {identity_of(op.reducer, value)};
  return {highest(op.output()->type), identity_of(op.reducer, value)};
}

std::vector<ir::Expr> combine(Reducer reducer, const std::vector<ir::Expr>& a,
                              const std::vector<ir::Expr>& b) {
  if (!has_index(reducer)) return {combine(reducer, a.front(), b.front())};
  // The smaller index wins between equal values, so the answer does not depend on the order of the
  // loops.
  const ir::Expr better = reducer == Reducer::ArgMax ? a[1] > b[1] : a[1] < b[1];
  const ir::Expr earlier = ir::logical_and(ir::eq(a[1], b[1]), a[0] < b[0]);
  return {ir::select(ir::logical_or(better, earlier), a[0], b[0]), ir::select(better, a[1], b[1])};
}

}  // namespace hone::task
