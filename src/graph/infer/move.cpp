// Operators that move, repeat or pick elements.
#include <algorithm>
#include <cmath>

#include "graph/infer/rules.h"

namespace hone::graph {
namespace {

void require_index(const ValueType& type) {
  if (type.type != ir::Scalar::I32 && type.type != ir::Scalar::I64)
    refuse("indices are int32 or int64, not {}", print(type));
}

}  // namespace

Types infer_types(const Transpose& op, Inputs inputs) {
  require_inputs(inputs, 1);
  const Shape& in = inputs[0].shape;
  require_count(op.order.size(), in.size(), "order");
  ValueType result{inputs[0].type, {}};
  for (const int axis : op.order) {
    require_axis(axis, in);
    if (std::ranges::count(op.order, axis) != 1) refuse("dimension {} is named twice", axis);
    result.shape.push_back(extent(in, axis));
  }
  return {result};
}

Types infer_types(const Reshape& op, Inputs inputs) {
  require_inputs(inputs, 1);
  const ValueType result{inputs[0].type, op.shape};
  require_sane(result);
  if (model::elements(op.shape) != model::elements(inputs[0].shape))
    refuse("{} does not have the elements of {}", print(op.shape), print(inputs[0]));
  return {result};
}

Types infer_types(const Expand& op, Inputs inputs) {
  require_inputs(inputs, 1);
  if (broadcast(inputs[0].shape, op.shape) != op.shape)
    refuse("{} does not broadcast to {}", print(inputs[0]), print(op.shape));
  return {{inputs[0].type, op.shape}};
}

Types infer_types(const Slice& op, Inputs inputs) {
  require_inputs(inputs, 1);
  const Shape& in = inputs[0].shape;
  require_count(op.starts.size(), in.size(), "starts");
  require_count(op.steps.size(), in.size(), "steps");
  require_count(op.shape.size(), in.size(), "shape");
  for (std::size_t d = 0; d < in.size(); ++d) {
    const std::int64_t start = op.starts[d], step = op.steps[d], count = op.shape[d];
    if (step == 0) refuse("a step is not 0");
    if (count == 0) continue;
    // How many steps there is room for: a division, because a product could overflow.
    const std::int64_t room = step > 0 ? (in[d] - 1 - start) / step : -start / step;
    const bool fits = start >= 0 && start < in[d] && count > 0 && count - 1 <= room;
    if (!fits)
      refuse("{} elements from {} by {} leave dimension {} of {}", count, start, step, d, print(in));
  }
  return {{inputs[0].type, op.shape}};
}

Types infer_types(const Pad& op, Inputs inputs) {
  require_inputs(inputs, 1);
  const Shape& in = inputs[0].shape;
  require_count(op.before.size(), in.size(), "padding before");
  require_count(op.after.size(), in.size(), "padding after");
  if (op.mode == PadMode::Constant) {
    const bool is_literal = op.value.as<ir::IntImm>() || op.value.as<ir::FloatImm>();
    if (!is_literal || op.value.type() != ir::Type{inputs[0].type})
      refuse("is filled with a literal of the type of {}", print(inputs[0]));
  }
  ValueType result = inputs[0];
  for (std::size_t d = 0; d < in.size(); ++d) {
    for (const std::int64_t padding : {op.before[d], op.after[d]}) {
      if (std::max(padding, -(padding + 1)) >= kMaxElements) refuse("padding cannot be {}", padding);
      if (op.mode == PadMode::Reflect && padding >= std::max<std::int64_t>(in[d], 1))
        refuse("{} elements cannot be mirrored in dimension {} of {}", padding, d, print(in));
      if (op.mode != PadMode::Constant && padding > 0 && in[d] == 0)
        refuse("dimension {} of {} has nothing to repeat", d, print(in));
    }
    result.shape[d] += op.before[d] + op.after[d];
    if (result.shape[d] < 0) refuse("padding takes away more of dimension {} than there is", d);
  }
  return {result};
}

Types infer_types(const Concat& op, Inputs inputs) {
  if (inputs.empty()) refuse("takes at least one input");
  require_same_type(inputs);
  ValueType result = inputs[0];
  require_axis(op.axis, result.shape);
  const auto axis = static_cast<std::size_t>(op.axis);
  for (const ValueType& input : inputs.subspan(1)) {
    Shape expected = result.shape;
    if (input.shape.size() == expected.size()) expected[axis] = input.shape[axis];
    if (input.shape != expected)
      refuse("{} and {} differ in more than dimension {}", print(inputs[0]), print(input), axis);
    result.shape[axis] += input.shape[axis];
    require_sane(result);
  }
  return {result};
}

Types infer_types(const Gather& op, Inputs inputs) {
  require_inputs(inputs, 2);
  require_index(inputs[1]);
  Shape shape = inputs[0].shape;
  require_axis(op.axis, shape);
  const auto at = shape.erase(shape.begin() + op.axis);
  shape.insert(at, inputs[1].shape.begin(), inputs[1].shape.end());
  return {{inputs[0].type, shape}};
}

Types infer_types(const GatherElements& op, Inputs inputs) {
  require_inputs(inputs, 2);
  require_index(inputs[1]);
  const Shape &data = inputs[0].shape, &indices = inputs[1].shape;
  require_axis(op.axis, data);
  require_count(indices.size(), data.size(), "the indices' shape");
  for (std::size_t d = 0; d < data.size(); ++d) {
    if (d != static_cast<std::size_t>(op.axis) && indices[d] > data[d])
      refuse("indices {} reach beyond data {}", print(indices), print(data));
  }
  return {{inputs[0].type, indices}};
}

Types infer_types(const GatherND& op, Inputs inputs) {
  require_inputs(inputs, 2);
  require_index(inputs[1]);
  const Shape &data = inputs[0].shape, &indices = inputs[1].shape;
  if (indices.empty()) refuse("takes indices of rank 1 or more");
  const auto batch = static_cast<std::size_t>(op.batch_dims);
  if (op.batch_dims < 0 || batch >= indices.size() || batch > data.size() ||
      !std::equal(data.begin(), data.begin() + op.batch_dims, indices.begin()))
    refuse("data {} and indices {} have no {} batch dimensions", print(data), print(indices),
           op.batch_dims);
  if (indices.back() > static_cast<std::int64_t>(data.size() - batch))
    refuse("indices of {} coordinates are too long for data {}", indices.back(), print(data));
  Shape shape(indices.begin(), indices.end() - 1);
  shape.insert(shape.end(), data.begin() + op.batch_dims + indices.back(), data.end());
  return {{inputs[0].type, shape}};
}

Types infer_types(const Resize& op, Inputs inputs) {
  require_inputs(inputs, 1);
  const Shape& in = inputs[0].shape;
  if (op.linear) require_number(inputs[0]);
  require_count(op.scales.size(), in.size(), "scales");
  require_count(op.offsets.size(), in.size(), "offsets");
  require_count(op.shape.size(), in.size(), "shape");
  for (std::size_t d = 0; d < in.size(); ++d) {
    if (!std::isfinite(op.scales[d]) || !std::isfinite(op.offsets[d]))
      refuse("scales and offsets are finite");
    if (in[d] == 0 && op.shape[d] > 0) refuse("dimension {} of {} is empty", d, print(in));
  }
  return {{inputs[0].type, op.shape}};
}

}  // namespace hone::graph
