// Pieces of nodes that multiply matrices.
#pragma once
#include "graph/onnx/emitter.h"

namespace hone::graph::onnx {

ValueId swap_last(const Emitter& emit, ValueId a);  // the last two dimensions change places
ValueId scaled_product(const Emitter& emit, ValueId a, ValueId b, double factor);

}  // namespace hone::graph::onnx
