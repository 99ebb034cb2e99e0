// Operators that pick elements by indices which are data.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "graph/evaluate/copy.h"
#include "graph/evaluate/elements.h"
#include "graph/evaluate/operators.h"

namespace hone::graph {
namespace {

// Negative indices count from the end.
std::int64_t resolved(std::int64_t index, std::int64_t extent) {
  if (index < -extent || index >= extent)
    throw UserError(fmt::format("index {} lies outside of {} elements", index, extent));
  return index < 0 ? index + extent : index;
}

}  // namespace

Tensors evaluate_op(const Gather& op, Operands inputs, OutputTypes types) {
  const AxisView view = around(inputs[0].shape(), op.axis);
  const std::vector<std::int64_t> indices = widen<std::int64_t>(inputs[1]);
  const auto itself = [](std::int64_t i) { return i; };
  const auto picked = [&](std::int64_t i) {
    return resolved(indices[static_cast<std::size_t>(i)], view.extent);
  };
  const Sources sources = {
      sources_along(view.outer, view.extent * view.inner, itself),
      sources_along(static_cast<std::int64_t>(indices.size()), view.inner, picked),
      sources_along(view.inner, 1, itself),
  };
  const Shape rows = {view.outer, static_cast<std::int64_t>(indices.size()), view.inner};
  return {copy(inputs[0], rows, sources).reshaped(types[0].shape)};
}

Tensors evaluate_op(const GatherElements& op, Operands inputs, OutputTypes types) {
  const Shape &data = inputs[0].shape(), &shape = types[0].shape;
  const std::vector<std::int64_t> indices = widen<std::int64_t>(inputs[1]);
  const auto size = static_cast<std::size_t>(ir::size_bytes(types[0].type));
  Tensor result = Tensor::zeros(types[0].type, shape);
  auto to = result.writable().begin();
  // Where an element of the result stands in the data, but for the axis.
  Strides strides = dense_strides(data);
  const std::int64_t along = std::exchange(strides[static_cast<std::size_t>(op.axis)], 0);
  auto index = indices.begin();
  for_each_row(shape, {strides}, [&](std::span<const std::int64_t> offsets) {
    for (std::int64_t i = 0; i < row_extent(shape); ++i) {
      const std::int64_t at = resolved(*index++, data[static_cast<std::size_t>(op.axis)]);
      const std::int64_t element = offsets[0] + i * row_stride(strides) + at * along;
      to = std::ranges::copy(inputs[0].bytes().subspan(static_cast<std::size_t>(element) * size, size),
                             to)
               .out;
    }
  });
  return {result};
}

Tensors evaluate_op(const GatherND& op, Operands inputs, OutputTypes types) {
  const Shape &data = inputs[0].shape(), &shape = inputs[1].shape();
  const std::vector<std::int64_t> indices = widen<std::int64_t>(inputs[1]);
  const Strides strides = dense_strides(data);
  const std::int64_t coordinates = shape.back();
  const std::int64_t batches = model::elements(Shape(shape.begin(), shape.begin() + op.batch_dims));
  const std::int64_t tuples = model::elements(Shape(shape.begin(), shape.end() - 1));
  Tensor result = Tensor::zeros(types[0].type, types[0].shape);
  if (result.size() == 0) return {result};
  const std::size_t piece = result.bytes().size() / static_cast<std::size_t>(tuples);
  const auto size = static_cast<std::size_t>(ir::size_bytes(types[0].type));
  auto to = result.writable().begin();
  for (std::int64_t tuple = 0; tuple < tuples; ++tuple) {
    std::int64_t element = tuple / (tuples / batches) * (inputs[0].size() / batches);
    for (std::int64_t c = 0; c < coordinates; ++c) {
      const auto d = static_cast<std::size_t>(op.batch_dims + c);
      element +=
          strides[d] * resolved(indices[static_cast<std::size_t>(tuple * coordinates + c)], data[d]);
    }
    to = std::ranges::copy(inputs[0].bytes().subspan(static_cast<std::size_t>(element) * size, piece),
                           to)
             .out;
  }
  return {result};
}

}  // namespace hone::graph
