// Axes and shapes as ONNX counts them: negative axes are counted from the end.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "model/tensor.h"

namespace hone::graph::onnx {

using model::Shape;

// UserError when there is no such axis.
int axis_in(std::int64_t axis, std::size_t rank);
// Ascending; UserError also when one is named twice.
std::vector<int> axes_in(std::span<const std::int64_t> axes, std::size_t rank);
std::vector<int> axes_from(int first, std::size_t rank);  // first, ..., rank - 1

std::int64_t product(const Shape& shape, std::size_t begin,
                     std::size_t end);  // of dimensions [begin, end)

Shape without(const Shape& shape, std::span<const int> axes);  // those dimensions taken away
Shape with_ones(const Shape& shape,
                std::span<const int> axes);  // new ones, at their places in the result

}  // namespace hone::graph::onnx
