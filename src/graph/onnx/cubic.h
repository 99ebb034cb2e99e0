// Cubic interpolation, which graphs have no operator for.
#pragma once
#include "graph/onnx/emitter.h"

namespace hone::graph::onnx {

// Resizes as `resize` says, dimension by dimension: a weighted sum of the four neighbours of each
// place. `a` is the parameter of Keys' kernel. With `exclude_outside` neighbours beyond the border
// weigh nothing; otherwise the border's element stands for them.
ValueId resize_cubic(const Emitter& emit, ValueId x, const Resize& resize, double a,
                     bool exclude_outside);

}  // namespace hone::graph::onnx
