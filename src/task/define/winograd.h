// The weight of a convolution as Winograd's algorithm reads it.
#pragma once
#include "task/define/scope.h"
#include "task/ops/winograd_ops.h"

namespace hone::task::define {

// A graph from the weight of the direct form to the transformed one.
graph::Graph winograd_weight(const graph::ValueType& weight, const ops::Winograd& conv);

}  // namespace hone::task::define
