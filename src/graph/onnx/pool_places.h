// Where the largest elements of a pool's windows stand.
#pragma once
#include "graph/onnx/emitter.h"

namespace hone::graph::onnx {

// Their places in the whole input as it lies in memory (int64), one a window; among equals the first.
// With `column_major` the spatial dimensions are counted in the other order.
ValueId largest_places(const Emitter& emit, ValueId x, const Window& window, bool column_major);

}  // namespace hone::graph::onnx
