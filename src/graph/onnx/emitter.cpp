#include "graph/onnx/emitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "base/error.h"
#include "ir/element.h"

namespace hone::graph::onnx {

using ir::Expr;

ValueId Emitter::add(Operator op, std::vector<ValueId> inputs) const {
  return builder_->apply(node_, std::move(op), std::move(inputs));
}

ValueId Emitter::constant(Tensor tensor) const { return builder_->constant(std::move(tensor), node_); }

ValueId Emitter::constant(const std::vector<std::int64_t>& elements) const {
  Tensor tensor = Tensor::zeros(ir::Scalar::I64, {static_cast<std::int64_t>(elements.size())});
  std::ranges::copy(std::as_bytes(std::span(elements)), tensor.writable().begin());
  return constant(std::move(tensor));
}

ValueId Emitter::iota(std::int64_t count) const {
  require_constant_size(count);
  std::vector<std::int64_t> elements(static_cast<std::size_t>(count));
  std::iota(elements.begin(), elements.end(), 0);
  return constant(elements);
}

void Emitter::require_same_type(const std::vector<ValueId>& inputs) const {
  for (const ValueId input : inputs) {
    if (type(input) == type(inputs.front())) continue;
    throw UserError(fmt::format("its inputs differ in type: {} and {}",
                                ir::to_string({type(inputs.front())}), ir::to_string({type(input)})));
  }
}

ValueId Emitter::map(const std::vector<ValueId>& inputs, const MapBody& body) const {
  require_same_type(inputs);
  return map_mixed(inputs, body);
}

ValueId Emitter::map_mixed(const std::vector<ValueId>& inputs, const MapBody& body) const {
  const auto is_element = [&](ValueId id) { return constant_of(id) && constant_of(id)->size() == 1; };
  std::optional<std::size_t> result_rank;  // none when nothing but constants of one element is there
  for (const ValueId id : inputs) {
    if (!is_element(id)) result_rank = std::max(result_rank.value_or(0), rank(id));
  }
  std::vector<Expr> operands(inputs.size());
  std::vector<ValueId> kept;
  std::vector<std::size_t> places;  // of the kept ones
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (is_element(inputs[i]) && result_rank && rank(inputs[i]) <= *result_rank) {
      operands[i] = literal(*constant_of(inputs[i]));
    } else {
      kept.push_back(inputs[i]);
      places.push_back(i);
    }
  }
  return builder_->map(node_, kept, [&](const std::vector<Expr>& variables) {
    for (std::size_t i = 0; i < places.size(); ++i) operands[places[i]] = variables[i];
    return body(operands);
  });
}

ValueId Emitter::scaled(ValueId a, double factor) const {
  if (factor == 1) return a;
  return map({a}, [&](const auto& x) { return x[0] * literal(factor, x[0]); });
}

ValueId Emitter::cast(ValueId a, ir::Scalar to) const {
  if (type(a) == to) return a;
  return map({a}, [&](const auto& x) {
    // What is not zero is true, also 0.5, which is 0 as a whole number.
    return to == ir::Scalar::Bool ? ir::binary(ir::BinaryOp::Ne, x[0], literal(0, x[0]))
                                  : ir::cast({to}, x[0]);
  });
}

ValueId Emitter::where(ValueId condition, ValueId a, ValueId b) const {
  if (type(condition) != ir::Scalar::Bool) throw UserError("its condition is not of type bool");
  require_same_type({a, b});
  return map_mixed({condition, a, b}, [](const auto& x) { return ir::select(x[0], x[1], x[2]); });
}

ValueId Emitter::reshape(ValueId a, Shape to) const {
  return shape(a) == to ? a : add(Reshape{std::move(to)}, {a});
}

ValueId Emitter::transpose(ValueId a, std::vector<int> order) const {
  return add(Transpose{std::move(order)}, {a});
}

ValueId Emitter::expand(ValueId a, Shape to) const { return add(Expand{std::move(to)}, {a}); }

ValueId Emitter::slice(ValueId a, int axis, std::int64_t begin, std::int64_t count) const {
  Slice slice{.starts = std::vector<std::int64_t>(rank(a), 0),
              .steps = std::vector<std::int64_t>(rank(a), 1),
              .shape = shape(a)};
  slice.starts[static_cast<std::size_t>(axis)] = begin;
  slice.shape[static_cast<std::size_t>(axis)] = count;
  return add(std::move(slice), {a});
}

ValueId Emitter::concat(std::vector<ValueId> parts, int axis) const {
  if (parts.size() == 1) return parts.front();
  require_same_type(parts);
  return add(Concat{axis}, std::move(parts));
}

ValueId Emitter::reduce(Reduction reduction, ValueId a, std::vector<int> axes) const {
  return axes.empty() ? a : add(Reduce{reduction, std::move(axes)}, {a});
}

ValueId Emitter::mean(ValueId a, const std::vector<int>& axes) const {
  std::int64_t count = 1;
  for (const int axis : axes) count *= shape(a)[static_cast<std::size_t>(axis)];
  const ValueId sum = reduce(Reduction::Sum, a, axes);
  if (count == 0) throw UserError("it takes the mean of nothing");
  if (!ir::is_float(type(a)))
    return map({sum}, [&](const auto& x) { return x[0] / ir::int_imm(count, x[0].type()); });
  return scaled(sum, 1.0 / static_cast<double>(count));
}

ValueId Emitter::per_channel(ValueId vector, std::size_t rank) const {
  Shape wide{builder_->type(vector).shape};
  wide.resize(rank - 1, 1);
  return reshape(vector, std::move(wide));
}

void require_constant_size(std::int64_t elements) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;
  if (elements < 0 || elements > kMost)
    throw UserError(fmt::format("it makes a constant of {} elements", elements));
}

Expr literal(const Tensor& element) {
  check(element.size() == 1, "a literal is one element");
  const ir::Scalar type = element.type();
  const ir::Number number = ir::read_number(type, element.bytes().data());
  return ir::is_float(type) ? ir::float_imm(number.f, {type}) : ir::int_imm(number.i, {type});
}

}  // namespace hone::graph::onnx
