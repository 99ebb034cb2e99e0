#include "graph/onnx/broadcasting.h"

#include "graph/onnx/axes.h"

namespace hone::graph::onnx {

std::vector<ValueId> broadcast_inputs(const Reading& r) {
  const ValueId a = r.input(0);
  ValueId b = r.input(1);
  if (r.opset < 7 && r.attributes.has("axis") && r.emit.rank(b) > 0) {
    const auto axis =
        static_cast<std::size_t>(axis_in(r.attributes.integer("axis", 0), r.emit.rank(a)));
    Shape wide = r.emit.shape(b);
    if (axis + wide.size() < r.emit.rank(a)) wide.resize(r.emit.rank(a) - axis, 1);
    b = r.emit.reshape(b, std::move(wide));
  }
  return {a, b};
}

}  // namespace hone::graph::onnx
