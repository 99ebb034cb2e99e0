// How the two inputs of an elementwise node meet.
#pragma once
#include "graph/onnx/reading.h"

namespace hone::graph::onnx {

// The node's two inputs such that they broadcast as NumPy does. Before opset 7 the second one's
// dimensions stood for those of the first from the attribute `axis` on.
std::vector<ValueId> broadcast_inputs(const Reading& r);

// One operation of the two, element by element.
template <ir::BinaryOp kOp>
std::vector<ValueId> of_two(const Reading& r) {
  return {r.emit.map(broadcast_inputs(r), [](const auto& x) { return ir::binary(kOp, x[0], x[1]); })};
}

}  // namespace hone::graph::onnx
