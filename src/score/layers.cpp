#include "score/layers.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace hone::score {
namespace {

using graph::ValueId;
using model::Shape;
using model::Tensor;

Tensor to_tensor(Shape shape, const std::vector<float>& values) {
  Tensor out = Tensor::zeros(ir::Scalar::F32, std::move(shape));
  std::memcpy(out.writable().data(), values.data(), values.size() * sizeof(float));
  return out;
}

// Training keeps a layer's weights as [out, in], a product wants [in, out]. Of the outputs these.
Tensor transposed(const NamedTensor& weight, std::int64_t first, std::int64_t count) {
  const auto columns = static_cast<std::size_t>(weight.shape[1]), n = static_cast<std::size_t>(count);
  const float* const from = &weight.values[static_cast<std::size_t>(first) * columns];
  std::vector<float> values(n * columns);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < columns; ++j) values[j * n + i] = from[i * columns + j];
  return to_tensor({weight.shape[1], count}, values);
}

}  // namespace

ValueId Layers::input(const std::string& name, Shape shape) {
  return build_.input(name, {ir::Scalar::F32, std::move(shape)});
}

ValueId Layers::linear(ValueId x, const std::string& name) {
  const NamedTensor& bias = tensor(name + ".bias", {-1});
  return linear(x, name, 0, bias.shape[0]);
}

ValueId Layers::linear(ValueId x, const std::string& name, std::int64_t first, std::int64_t count) {
  const NamedTensor& weight = tensor(name + ".weight", {-1, shape_of(x).back()});
  const NamedTensor& bias = tensor(name + ".bias", {weight.shape[0]});
  return affine(x, weight, bias, first, count);
}

ValueId Layers::affine(ValueId x, const NamedTensor& weight, const NamedTensor& bias,
                       std::int64_t first, std::int64_t count) {
  if (first + count > weight.shape[0])
    throw UserError("the weights '" + weight.name + "' have too few rows", "train the scorer again");
  const auto from = bias.values.begin() + first;
  return add(matmul(x, build_.constant(transposed(weight, first, count))),
             build_.constant(to_tensor({count}, std::vector<float>(from, from + count))));
}

std::size_t Layers::count(const std::string& name) const {
  std::size_t n = 0;
  const auto exists = [&] {
    return std::ranges::find(tensors_, name + "." + std::to_string(n) + ".weight",
                             &NamedTensor::name) != tensors_.end();
  };
  while (exists()) ++n;
  return n;
}

ValueId Layers::chain(ValueId x, const std::string& name, bool relu_behind_last,
                      ValueId* read_by_last) {
  const std::size_t n = count(name);
  for (std::size_t i = 0; i < n; ++i) {
    if (read_by_last != nullptr) *read_by_last = x;
    x = linear(x, name + "." + std::to_string(i));
    if (i + 1 < n || relu_behind_last) x = relu(x);
  }
  return x;
}

ValueId Layers::residual_blocks(ValueId x, const std::string& name) {
  for (std::size_t i = 0; i < count(name); ++i)
    x = add(x, relu(linear(x, name + "." + std::to_string(i))));
  return x;
}

ValueId Layers::normalise(ValueId x, const std::string& name) {
  const ValueId shift = vector(name + ".shift", shape_of(x).back());
  return multiply(build_.binary("centre", ir::BinaryOp::Sub, x, shift),
                  vector(name + ".scale", shape_of(x).back()));
}

ValueId Layers::layer_norm(ValueId x, const std::string& name) {
  constexpr double kLeastVariance = 1e-5;
  const std::int64_t width = shape_of(x).back();
  const int last = static_cast<int>(shape_of(x).size()) - 1;
  const auto mean = [&](ValueId of) { return scale(sum(of, last), 1 / static_cast<double>(width)); };
  const ValueId centred = build_.binary("norm", ir::BinaryOp::Sub, x, mean(x));
  const ValueId variance =
      add(mean(multiply(centred, centred)), build_.scalar(kLeastVariance, ir::Scalar::F32));
  const ValueId normal = multiply(centred, build_.unary("norm", ir::Function::Rsqrt, variance));
  return add(multiply(normal, vector(name + ".weight", width)), vector(name + ".bias", width));
}

Layers::LstmState Layers::lstm_step(ValueId x, LstmState before, const std::string& name) {
  const std::int64_t width = shape_of(before.hidden).back();
  const NamedTensor& of_x = tensor(name + ".weight_ih_l0", {4 * width, shape_of(x).back()});
  const NamedTensor& of_hidden = tensor(name + ".weight_hh_l0", {4 * width, width});
  const NamedTensor& bias_of_x = tensor(name + ".bias_ih_l0", {4 * width});
  const NamedTensor& bias_of_hidden = tensor(name + ".bias_hh_l0", {4 * width});
  const auto gate = [&](std::int64_t number, ir::Function function) {
    const ValueId sum = add(affine(x, of_x, bias_of_x, number * width, width),
                            affine(before.hidden, of_hidden, bias_of_hidden, number * width, width));
    return build_.unary("gate", function, sum);
  };
  const ValueId taken = multiply(gate(0, ir::Function::Sigmoid), gate(2, ir::Function::Tanh));
  const ValueId cell = add(multiply(gate(1, ir::Function::Sigmoid), before.cell), taken);
  const ValueId hidden =
      multiply(gate(3, ir::Function::Sigmoid), build_.unary("cell", ir::Function::Tanh, cell));
  return {hidden, cell};
}

ValueId Layers::vector(const std::string& name, std::int64_t size) {
  return build_.constant(to_tensor({size}, tensor(name, {size}).values));
}

ValueId Layers::relu(ValueId x) {
  return build_.apply("relu", graph::clip(ir::Scalar::F32, 0, std::nullopt), {x});
}
ValueId Layers::clamp(ValueId x, double low, double high) {
  return build_.apply("clamp", graph::clip(ir::Scalar::F32, low, high), {x});
}
ValueId Layers::add(ValueId a, ValueId b) { return build_.binary("add", ir::BinaryOp::Add, a, b); }
ValueId Layers::multiply(ValueId a, ValueId b) {
  return build_.binary("multiply", ir::BinaryOp::Mul, a, b);
}
ValueId Layers::matmul(ValueId a, ValueId b) { return build_.apply("matmul", graph::MatMul{}, {a, b}); }
ValueId Layers::reshape(ValueId x, Shape shape) {
  return build_.apply("reshape", graph::Reshape{std::move(shape)}, {x});
}
ValueId Layers::transpose(ValueId x, std::vector<int> order) {
  return build_.apply("transpose", graph::Transpose{std::move(order)}, {x});
}
ValueId Layers::concat(std::vector<ValueId> parts, int axis) {
  return build_.apply("concat", graph::Concat{axis}, std::move(parts));
}

ValueId Layers::softmax(ValueId x) {
  const int last = static_cast<int>(shape_of(x).size()) - 1;
  const ValueId largest = build_.apply("softmax", graph::Reduce{graph::Reduction::Max, {last}}, {x});
  const ValueId powers = build_.unary("softmax", ir::Function::Exp,
                                      build_.binary("softmax", ir::BinaryOp::Sub, x, largest));
  return build_.binary("softmax", ir::BinaryOp::Div, powers, sum(powers, last));
}

ValueId Layers::sum(ValueId x, int axis) {
  return build_.apply("sum", graph::Reduce{graph::Reduction::Sum, {axis}}, {x});
}

ValueId Layers::scale(ValueId x, double factor) {
  return multiply(x, build_.scalar(factor, ir::Scalar::F32));
}

}  // namespace hone::score
