#include "graph/onnx/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace hone::graph::onnx {

int axis_in(std::int64_t axis, std::size_t rank) {
  const auto limit = static_cast<std::int64_t>(rank);
  if (axis < -limit || axis >= limit)
    throw UserError(fmt::format("there is no axis {} among {} dimensions", axis, rank));
  return static_cast<int>(axis < 0 ? axis + limit : axis);
}

std::vector<int> axes_in(std::span<const std::int64_t> axes, std::size_t rank) {
  std::vector<int> result;
  for (const std::int64_t axis : axes) result.push_back(axis_in(axis, rank));
  std::ranges::sort(result);
  if (std::ranges::adjacent_find(result) != result.end())
    throw UserError(fmt::format("an axis is named twice among [{}]", fmt::join(axes, ", ")));
  return result;
}

std::vector<int> axes_from(int first, std::size_t rank) {
  std::vector<int> axes(rank - static_cast<std::size_t>(first));
  std::iota(axes.begin(), axes.end(), first);
  return axes;
}

std::int64_t product(const Shape& shape, std::size_t begin, std::size_t end) {
  return model::elements({shape.begin() + static_cast<std::ptrdiff_t>(begin),
                          shape.begin() + static_cast<std::ptrdiff_t>(end)});
}

Shape without(const Shape& shape, std::span<const int> axes) {
  Shape rest;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (std::ranges::find(axes, static_cast<int>(i)) == axes.end()) rest.push_back(shape[i]);
  }
  return rest;
}

Shape with_ones(const Shape& shape, std::span<const int> axes) {
  Shape wider;
  auto next = shape.begin();
  for (std::size_t i = 0; i < shape.size() + axes.size(); ++i) {
    const bool is_new = std::ranges::find(axes, static_cast<int>(i)) != axes.end();
    wider.push_back(is_new ? 1 : *next++);
  }
  return wider;
}

}  // namespace hone::graph::onnx
