// Softmax and its logarithm.
#include "graph/onnx/activation.h"
#include "graph/onnx/axes.h"
#include "graph/onnx/readers.h"

namespace hone::graph::onnx {
namespace {

// Before opset 13 all dimensions from the axis on are one.
std::vector<int> axes_of(const Reading& r) {
  const std::size_t rank = r.emit.rank(r.float_input(0));
  const int axis = axis_in(r.attributes.integer("axis", r.opset < 13 ? 1 : -1), rank);
  return r.opset < 13 ? axes_from(axis, rank) : std::vector{axis};
}

std::vector<ValueId> read_softmax(const Reading& r) {
  const std::vector<int> axes = axes_of(r);
  const ValueId largest = r.emit.reduce(Reduction::Max, r.input(0), axes);
  const ValueId powers =
      r.emit.map({r.input(0), largest}, [](const auto& x) { return exp(x[0] - x[1]); });
  const ValueId sum = r.emit.reduce(Reduction::Sum, powers, axes);
  return {r.emit.map({powers, sum}, [](const auto& x) { return x[0] / x[1]; })};
}

std::vector<ValueId> read_log_softmax(const Reading& r) {
  const std::vector<int> axes = axes_of(r);
  const ValueId largest = r.emit.reduce(Reduction::Max, r.input(0), axes);
  const ValueId below = r.emit.map({r.input(0), largest}, [](const auto& x) { return x[0] - x[1]; });
  const ValueId powers = r.emit.map({below}, [](const auto& x) { return exp(x[0]); });
  const ValueId sum = r.emit.reduce(Reduction::Sum, powers, axes);
  return {r.emit.map({below, sum}, [](const auto& x) { return x[0] - log(x[1]); })};
}

}  // namespace

Readers softmaxes() { return {{"LogSoftmax", read_log_softmax}, {"Softmax", read_softmax}}; }

}  // namespace hone::graph::onnx
