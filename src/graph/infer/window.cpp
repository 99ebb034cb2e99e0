// Operators whose windows slide over the dimensions behind the second.
#include <algorithm>

#include "graph/infer/rules.h"

namespace hone::graph {
namespace {

// The window over a whole image of 4096 x 4096 has as many. Weights bound the kernel of a convolution;
// that of a pooling is a mere number in the model.
constexpr std::int64_t kMaxPoolTaps = std::int64_t{1} << 24;

void require_window(const Window& window, const Shape& shape) {
  if (shape.size() < 3) refuse("takes [n, c, spatial...], not {}", print(shape));
  const std::size_t spatial = shape.size() - 2;
  require_count(window.kernel.size(), spatial, "kernel");
  require_count(window.strides.size(), spatial, "strides");
  require_count(window.dilations.size(), spatial, "dilations");
  require_count(window.before.size(), spatial, "padding before");
  require_count(window.after.size(), spatial, "padding after");
  for (const auto* sizes : {&window.kernel, &window.strides, &window.dilations}) {
    for (const std::int64_t size : *sizes) {
      if (size < 1 || size > kMaxAttribute) refuse("a kernel, stride or dilation cannot be {}", size);
    }
  }
  for (const auto* paddings : {&window.before, &window.after}) {
    for (const std::int64_t padding : *paddings) {
      if (padding < -kMaxAttribute || padding > kMaxAttribute) refuse("padding cannot be {}", padding);
    }
  }
}

std::int64_t reach(const Window& window, std::size_t d) {
  return (window.kernel[d] - 1) * window.dilations[d] + 1;
}

// [n, channels, spatial...] with as many positions as the window has.
Shape slid(const Window& window, const Shape& in, std::int64_t channels) {
  Shape shape = {in[0], channels};
  for (std::size_t d = 0; d + 2 < in.size(); ++d) {
    const std::int64_t room = in[d + 2] + window.before[d] + window.after[d] - reach(window, d);
    if (room < 0) {
      refuse("a window that reaches over {} does not fit dimension {} of {}, padded by {} and {}",
             reach(window, d), d + 2, print(in), window.before[d], window.after[d]);
    }
    shape.push_back(room / window.strides[d] + 1);
  }
  return shape;
}

void require_picture_and_weights(const Window& window, Inputs inputs) {
  require_inputs(inputs, 2);
  require_same_type(inputs);
  require_number(inputs[0]);
  const Shape &in = inputs[0].shape, &weights = inputs[1].shape;
  require_window(window, in);
  require_count(weights.size(), in.size(), "the weights' shape");
  if (Shape(weights.begin() + 2, weights.end()) != window.kernel)
    refuse("weights {} do not have the kernel {}", print(weights), print(window.kernel));
}

}  // namespace

Types infer_types(const Conv& op, Inputs inputs) {
  require_picture_and_weights(op.window, inputs);
  const Shape &in = inputs[0].shape, &weights = inputs[1].shape;
  if (op.groups < 1 || in[1] % op.groups != 0 || in[1] / op.groups != weights[1])
    refuse("{} channels in {} groups do not fit weights {}", in[1], op.groups, print(weights));
  if (weights[0] % op.groups != 0)
    refuse("{} output channels are not divided by {} groups", weights[0], op.groups);
  return {{inputs[0].type, slid(op.window, in, weights[0])}};
}

Types infer_types(const ConvTranspose& op, Inputs inputs) {
  require_picture_and_weights(op.window, inputs);
  const Shape &in = inputs[0].shape, &weights = inputs[1].shape;
  if (op.groups < 1 || weights[0] != in[1] || in[1] % op.groups != 0)
    refuse("{} channels in {} groups do not fit weights {}", in[1], op.groups, print(weights));
  if (op.groups > kMaxElements / std::max<std::int64_t>(weights[1], 1)) refuse("too many groups");
  ValueType result{inputs[0].type, {in[0], weights[1] * op.groups}};
  for (std::size_t d = 0; d + 2 < in.size(); ++d) {
    if (in[d + 2] > kMaxAttribute) refuse("dimension {} of {} is too large", d + 2, print(in));
    const std::int64_t extent = (in[d + 2] - 1) * op.window.strides[d] + reach(op.window, d) -
                                op.window.before[d] - op.window.after[d];
    if (extent < 0) refuse("padding takes away more of dimension {} than there is", d + 2);
    result.shape.push_back(extent);
  }
  return {result};
}

Types infer_types(const Pool& op, Inputs inputs) {
  require_inputs(inputs, 1);
  require_number(inputs[0]);
  if (op.reduction != Reduction::Sum && op.reduction != Reduction::Max)
    refuse("windows are pooled by sum or max, not {}", name_of(op.reduction));
  require_window(op.window, inputs[0].shape);
  std::int64_t taps = 1;
  for (const std::int64_t size : op.window.kernel) {
    taps *= size;
    if (taps > kMaxPoolTaps) refuse("a window of {} is too large", print(op.window.kernel));
  }
  return {{inputs[0].type, slid(op.window, inputs[0].shape, inputs[0].shape[1])}};
}

}  // namespace hone::graph
