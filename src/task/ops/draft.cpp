#include "task/ops/draft.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"

namespace hone::task::ops {
namespace {

// Beyond these nothing can be allocated or run, and products of extents would leave 64 bits.
constexpr std::int64_t kMostElements = std::int64_t{1} << 40;
constexpr std::int64_t kMostIterations = std::int64_t{1} << 61;

// Product of the extents, or nothing when it exceeds `most`.
std::optional<std::int64_t> product(const Shape& extents, std::int64_t most) {
  std::int64_t result = 1;
  for (const std::int64_t extent : extents) {
    check(extent > 0, "an extent is positive");
    if (result > most / extent) return std::nullopt;
    result *= extent;
  }
  return result;
}

}  // namespace

ir::Type accumulator(ir::Type type) {
  const int bits = ir::bits(type.scalar);
  if (bits > 16) return type;
  return {ir::is_float(type.scalar) ? ir::Scalar::F32 : ir::Scalar::I32, type.lanes};
}

ir::Type arithmetic(ir::Type type) { return ir::is_float(type.scalar) ? accumulator(type) : type; }

Axis axis(std::string name, std::int64_t extent) { return {ir::variable(std::move(name)), extent}; }

Axes fresh(const Axes& axes) {
  Axes result;
  for (const Axis& a : axes) result.push_back(axis(std::string(ir::name_of(a.var)), a.extent));
  return result;
}

Index index_of(const Axes& axes) {
  Index index;
  for (const Axis& a : axes) index.push_back(a.var);
  return index;
}

Shape shape_of(const Axes& axes) {
  Shape shape;
  for (const Axis& a : axes) shape.push_back(a.extent);
  return shape;
}

ir::Expr read_to_sum(const ir::Buffer& buffer, Index index) {
  return ir::cast(accumulator(buffer->type), ir::load(buffer, std::move(index)));
}

ir::Expr read(const ir::Buffer& buffer, Index index) {
  return ir::cast(arithmetic(buffer->type), ir::load(buffer, std::move(index)));
}

ir::Expr times(const ir::Expr& value, std::int64_t factor) {
  return factor == 1 ? value : value * factor;
}

ir::Expr plus(const ir::Expr& value, std::int64_t offset) {
  if (offset == 0) return value;
  return offset > 0 ? value + offset : value - -offset;
}

Hints with_weight(const ir::Buffer& weight) {
  Hints hints;
  hints.layout_free = {weight->name};
  return hints;
}

std::string Draft::unique(const std::string& name) const {
  const auto is_taken = [&](const std::string& candidate) {
    return std::any_of(ops_.begin(), ops_.end(), [&](const Op& op) { return op.name() == candidate; });
  };
  if (!is_taken(name)) return name;
  int number = 1;
  while (is_taken(fmt::format("{}_{}", name, number))) ++number;
  return fmt::format("{}_{}", name, number);
}

Op& Draft::add(Op op) {
  for (const ir::Buffer& buffer : op.outputs) {
    if (product(buffer->shape, kMostElements)) continue;
    throw UserError(fmt::format("tensor {} of shape [{}] is too large", buffer->name,
                                fmt::join(buffer->shape, ", ")),
                    "a tensor has at most 2^40 elements");
  }
  Axes loops = op.axes;
  loops.insert(loops.end(), op.reduce_axes.begin(), op.reduce_axes.end());
  if (!product(shape_of(loops), kMostIterations)) {
    throw UserError(
        fmt::format("{} would run its body {} times", op.name(), fmt::join(shape_of(loops), " * ")),
        "at most 2^61 times");
  }
  return ops_.emplace_back(std::move(op));
}

ir::Buffer Draft::output(const std::string& name, const ir::Expr& body, const Axes& axes) {
  return ir::make_buffer(unique(name), body.type(), shape_of(axes));
}

ir::Buffer Draft::placeholder(const std::string& name, Shape shape, ir::Type type) {
  Op op;
  op.outputs = {ir::make_buffer(unique(name), type, std::move(shape))};
  return add(std::move(op)).output();
}

ir::Buffer Draft::compute(const std::string& name, Axes axes, ir::Expr body, Hints hints) {
  return reduce(name, std::move(axes), {}, std::move(body), std::move(hints));
}

ir::Buffer Draft::reduce(const std::string& name, Axes axes, Reduction reduction, ir::Expr body,
                         Hints hints) {
  Op op;
  op.outputs = {output(name, body, axes)};
  op.axes = std::move(axes);
  op.reduce_axes = std::move(reduction.axes);
  op.reducer = reduction.reducer;
  op.body = {std::move(body)};
  op.hints = std::move(hints);
  return add(std::move(op)).output();
}

ir::Buffer Draft::arg_reduce(Axes axes, Reduction reduction, ir::Expr index, ir::Expr value) {
  const std::string name = reduction.reducer == Reducer::ArgMax ? "argmax" : "argmin";
  Op op;
  op.outputs = {output(name + ".v0", index, axes), output(name + ".v1", value, axes)};
  op.axes = std::move(axes);
  op.reduce_axes = std::move(reduction.axes);
  op.reducer = reduction.reducer;
  op.body = {std::move(index), std::move(value)};
  return add(std::move(op)).output();
}

void Draft::cast_last_op() {
  Op& op = ops_.back();
  if (op.reducer == Reducer::None) {
    op.body.front() = ir::cast(type_, op.body.front());
    op.outputs = {ir::make_buffer(op.name(), type_, op.output()->shape)};
    return;
  }
  // The sum itself stays in its wide type.
  const ir::Buffer sum = op.output();
  const Axes axes = fresh(op.axes);
  compute("cast", axes, ir::cast(type_, ir::load(sum, index_of(axes))));
}

Task Draft::finish(std::string name) {
  const ir::Type given = last().output()->type;
  if (ir::is_float(given.scalar) && given != type_) cast_last_op();
  Task task;
  task.name = std::move(name);
  task.ops = in_stage_order(std::move(ops_));
  return task;
}

}  // namespace hone::task::ops
