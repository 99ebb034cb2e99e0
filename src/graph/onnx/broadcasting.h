// How the two inputs of an elementwise node meet.
#pragma once
#include "graph/onnx/reading.h"

namespace hone::graph::onnx {

// The node's two inputs such that they broadcast as NumPy does. Before opset 7 the second one's
// dimensions stood for those of the first from the attribute `axis` on.
std::vector<ValueId> broadcast_inputs(const Reading& r);

}  // namespace hone::graph::onnx
