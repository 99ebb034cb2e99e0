// The weight of a transposed convolution as its sub-pixel form reads it.
#pragma once
#include "task/define/scope.h"
#include "task/ops/image.h"

namespace hone::task::define {

// A graph from the weight of the direct form to that of the plain convolution over blocks
// (task/ops/sub_pixel.h), with zeros where a phase does not read an input that others do.
graph::Graph sub_pixel_weight(const graph::ValueType& weight, const ops::Layout& layout,
                              const ops::Windows& transposed);

}  // namespace hone::task::define
