#include "graph/onnx/normalise.h"

#include "graph/onnx/activation.h"
#include "graph/onnx/reading.h"

namespace hone::graph::onnx {
namespace {

// 1 / sqrt(mean of squares + epsilon), a value a row: the elements then need a product only.
ValueId factor_of(const Emitter& emit, ValueId x, const std::vector<int>& axes, double epsilon) {
  const ValueId squares = emit.map({x}, [](const auto& v) { return v[0] * v[0]; });
  return emit.map({emit.mean(squares, axes)},
                  [&](const auto& v) { return rsqrt(v[0] + literal(epsilon, v[0])); });
}

ValueId times(const Emitter& emit, ValueId a, ValueId b) {
  return emit.map({a, b}, [](const auto& x) { return x[0] * x[1]; });
}

}  // namespace

Normalised normalise(const Emitter& emit, ValueId x, const std::vector<int>& axes, double epsilon) {
  const ValueId mean = emit.mean(x, axes);
  const ValueId centred = emit.map({x, mean}, [](const auto& v) { return v[0] - v[1]; });
  const ValueId factor = factor_of(emit, centred, axes, epsilon);
  return {times(emit, centred, factor), mean, factor};
}

ValueId normalise_by_squares(const Emitter& emit, ValueId x, const std::vector<int>& axes,
                             double epsilon) {
  return times(emit, x, factor_of(emit, x, axes, epsilon));
}

ValueId scale_and_shift(const Emitter& emit, ValueId x, ValueId scale, ValueId bias) {
  if (scale == kLeftOut && bias == kLeftOut) return x;
  if (bias == kLeftOut) return times(emit, x, scale);
  if (scale == kLeftOut) return emit.map({x, bias}, [](const auto& v) { return v[0] + v[1]; });
  return emit.map({x, scale, bias}, [](const auto& v) { return v[0] * v[1] + v[2]; });
}

}  // namespace hone::graph::onnx
