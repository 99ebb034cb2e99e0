#include "graph/evaluate/elements.h"

namespace hone::graph {

Strides dense_strides(const Shape& shape) {
  Strides strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t d = shape.size(); d-- > 0; stride *= shape[d]) strides[d] = stride;
  return strides;
}

Strides broadcast_strides(const Shape& shape, const Shape& out) {
  const Strides dense = dense_strides(shape);
  const std::size_t missing = out.size() - shape.size();
  Strides strides(out.size(), 0);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] != 1) strides[missing + d] = dense[d];
  }
  return strides;
}

AxisView around(const Shape& shape, int axis) {
  const auto at = shape.begin() + axis;
  return {model::elements(Shape(shape.begin(), at)), *at, model::elements(Shape(at + 1, shape.end()))};
}

void for_each_row(const Shape& shape, const std::vector<Strides>& strides,
                  const std::function<void(std::span<const std::int64_t> offsets)>& row) {
  if (model::elements(shape) == 0) return;
  const std::size_t outer = shape.empty() ? 0 : shape.size() - 1;
  Shape index(outer);
  std::vector<std::int64_t> offsets(strides.size());
  while (true) {
    row(offsets);
    std::size_t d = outer;  // counts up like the digits of a number
    for (; d > 0; --d) {
      const bool wraps = ++index[d - 1] == shape[d - 1];
      for (std::size_t s = 0; s < strides.size(); ++s)
        offsets[s] += strides[s][d - 1] * (wraps ? 1 - shape[d - 1] : 1);
      if (!wraps) break;
      index[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

}  // namespace hone::graph
