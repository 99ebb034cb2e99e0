// Operators that move, repeat or pick elements.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include "graph/evaluate/copy.h"
#include "graph/evaluate/elements.h"
#include "graph/evaluate/operators.h"
#include "ir/arithmetic.h"

namespace hone::graph {
namespace {

// The source of element i + `first` of a dimension that is padded at its ends, or kNothing.
std::int64_t padded_source(PadMode mode, std::int64_t i, std::int64_t extent) {
  if (i >= 0 && i < extent) return i;
  switch (mode) {
    case PadMode::Constant:
      return kNothing;
    case PadMode::Edge:
      return i < 0 ? 0 : extent - 1;
    case PadMode::Reflect:
      return i < 0 ? -i : 2 * (extent - 1) - i;
    case PadMode::Wrap:
      return ir::floor_mod(i, extent);
  }
  fail("a mode of the enum");
}

std::vector<std::byte> bytes_of(const ir::Expr& literal) {
  const ir::Scalar type = literal.type().scalar;
  std::vector<std::byte> bytes(static_cast<std::size_t>(ir::size_bytes(type)));
  const auto* real = literal.as<ir::FloatImm>();
  ir::write_number(type, bytes.data(),
                   real ? ir::Number{.f = real->value} : ir::Number{.i = *ir::as_int(literal)});
  return bytes;
}

std::int64_t nearest(Rounding rounding, double at) {
  switch (rounding) {
    case Rounding::PreferFloor:
      return static_cast<std::int64_t>(std::ceil(at - 0.5));
    case Rounding::PreferCeil:
      return static_cast<std::int64_t>(std::floor(at + 0.5));
    case Rounding::Floor:
      return static_cast<std::int64_t>(std::floor(at));
    case Rounding::Ceil:
      return static_cast<std::int64_t>(std::ceil(at));
  }
  fail("a rounding of the enum");
}

// Dimension `d` of the elements made longer or shorter; the others stay.
std::vector<double> interpolated(const std::vector<double>& in, const Shape& shape, std::size_t d,
                                 std::int64_t extent, double scale, double offset) {
  const AxisView view = around(shape, static_cast<int>(d));
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(view.outer * extent * view.inner));
  for (std::int64_t outer = 0; outer < view.outer; ++outer) {
    for (std::int64_t i = 0; i < extent; ++i) {
      const double at = std::clamp(scale * static_cast<double>(i) + offset, 0.0,
                                   static_cast<double>(view.extent - 1));
      const auto low = static_cast<std::int64_t>(at), high = std::min(low + 1, view.extent - 1);
      const double weight = at - static_cast<double>(low);
      const auto row = [&](std::int64_t of) {
        return in.begin() + (outer * view.extent + of) * view.inner;
      };
      std::transform(row(low), row(low) + view.inner, row(high), std::back_inserter(out),
                     [&](double a, double b) { return a * (1 - weight) + b * weight; });
    }
  }
  return out;
}

Tensor resize_linear(const Resize& op, const Tensor& input, const ValueType& type) {
  std::vector<double> elements = widen<double>(input);
  Shape shape = input.shape();
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (op.scales[d] == 1 && op.offsets[d] == 0 && shape[d] == type.shape[d]) continue;
    elements = interpolated(elements, shape, d, type.shape[d], op.scales[d], op.offsets[d]);
    shape[d] = type.shape[d];
  }
  return narrow(type, elements);
}

}  // namespace

Tensors evaluate_op(const Transpose& op, Operands inputs, OutputTypes types) {
  const Strides strides = dense_strides(inputs[0].shape());
  Sources sources;
  for (std::size_t d = 0; d < op.order.size(); ++d) {
    const std::int64_t stride = strides[static_cast<std::size_t>(op.order[d])];
    sources.push_back(sources_along(types[0].shape[d], stride, [](std::int64_t i) { return i; }));
  }
  return {copy(inputs[0], types[0].shape, sources)};
}

Tensors evaluate_op(const Reshape& op, Operands inputs, OutputTypes) {
  return {inputs[0].reshaped(op.shape)};
}

Tensors evaluate_op(const Expand& op, Operands inputs, OutputTypes) {
  const Strides strides = broadcast_strides(inputs[0].shape(), op.shape);
  Sources sources;
  for (std::size_t d = 0; d < op.shape.size(); ++d)
    sources.push_back(sources_along(op.shape[d], strides[d], [](std::int64_t i) { return i; }));
  return {copy(inputs[0], op.shape, sources)};
}

Tensors evaluate_op(const Slice& op, Operands inputs, OutputTypes) {
  const Strides strides = dense_strides(inputs[0].shape());
  Sources sources;
  for (std::size_t d = 0; d < op.shape.size(); ++d) {
    sources.push_back(sources_along(op.shape[d], strides[d],
                                    [&](std::int64_t i) { return op.starts[d] + i * op.steps[d]; }));
  }
  return {copy(inputs[0], op.shape, sources)};
}

Tensors evaluate_op(const Pad& op, Operands inputs, OutputTypes types) {
  const Shape& in = inputs[0].shape();
  const Strides strides = dense_strides(in);
  Sources sources;
  for (std::size_t d = 0; d < in.size(); ++d) {
    sources.push_back(sources_along(types[0].shape[d], strides[d], [&](std::int64_t i) {
      return padded_source(op.mode, i - op.before[d], in[d]);
    }));
  }
  if (op.mode != PadMode::Constant) return {copy(inputs[0], types[0].shape, sources)};
  return {copy(inputs[0], types[0].shape, sources, bytes_of(op.value))};
}

Tensors evaluate_op(const Concat& op, Operands inputs, OutputTypes types) {
  Tensor result = Tensor::zeros(types[0].type, types[0].shape);
  const std::int64_t outer = around(types[0].shape, op.axis).outer;
  auto to = result.writable().begin();
  for (std::int64_t i = 0; i < outer; ++i) {
    for (const Tensor& input : inputs) {
      const std::size_t piece = input.bytes().size() / static_cast<std::size_t>(outer);
      to = std::ranges::copy(input.bytes().subspan(static_cast<std::size_t>(i) * piece, piece), to).out;
    }
  }
  return {result};
}

Tensors evaluate_op(const Resize& op, Operands inputs, OutputTypes types) {
  if (op.linear) return {resize_linear(op, inputs[0], types[0])};
  const Shape& in = inputs[0].shape();
  const Strides strides = dense_strides(in);
  Sources sources;
  for (std::size_t d = 0; d < in.size(); ++d) {
    sources.push_back(sources_along(op.shape[d], strides[d], [&](std::int64_t i) {
      // Clamped before it is rounded: a far coordinate may not fit an integer.
      const double at = std::clamp(op.scales[d] * static_cast<double>(i) + op.offsets[d], -1.0,
                                   static_cast<double>(in[d]));
      return std::clamp<std::int64_t>(nearest(op.rounding, at), 0, in[d] - 1);
    }));
  }
  return {copy(inputs[0], op.shape, sources)};
}

}  // namespace hone::graph
