#include "model/build.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/affinity.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"

namespace hone::model {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::int64_t kOpset = 17;
constexpr std::size_t kPiece = std::size_t{1} << 16;  // elements that one call fills; even

// Elements [begin, begin + kPiece) of weight number `stream`. A word of random bits makes two of them.
void fill(std::span<float> elements, std::size_t begin, Draw draw, std::uint64_t stream) {
  const std::size_t end = std::min(begin + kPiece, elements.size());
  const float scale = draw.spread * 0x1p-31F;
  for (std::size_t i = begin; i < end; i += 2) {
    const std::uint64_t bits = random_bits(kSeed, stream, i / 2);
    elements[i] = draw.mean + scale * static_cast<float>(static_cast<std::int32_t>(bits));
    if (i + 1 < end)
      elements[i + 1] = draw.mean + scale * static_cast<float>(static_cast<std::int32_t>(bits >> 32));
  }
}

Port port_of(const std::string& name, ir::Scalar type, const Shape& shape) {
  Port port{.name = name, .type = type, .shape = std::vector<Dimension>()};
  for (const std::int64_t extent : shape) port.shape->push_back({.extent = extent, .symbol = {}});
  return port;
}

template <class Element>
Tensor tensor_of(ir::Scalar type, Shape shape, std::span<const Element> values) {
  Tensor tensor = Tensor::zeros(type, std::move(shape));
  std::ranges::copy(std::as_bytes(values), tensor.writable().begin());
  return tensor;
}

}  // namespace

Draw deviating(double deviation) {
  return {.mean = 0, .spread = static_cast<float>(std::sqrt(3.0) * deviation)};
}

Tensor int64_tensor(const std::vector<std::int64_t>& values) {
  return tensor_of<std::int64_t>(ir::Scalar::I64, {static_cast<std::int64_t>(values.size())}, values);
}

Tensor float_scalar(float value) { return tensor_of<float>(ir::Scalar::F32, {}, std::span(&value, 1)); }

Build::Build(std::string model_name) {
  model_.name = std::move(model_name);
  model_.producer = "hone";
  model_.opsets = {{"", kOpset}};
}

Value Build::input(const std::string& name, ir::Scalar type, Shape shape) {
  model_.inputs.push_back(port_of(name, type, shape));
  model_.graph.inputs.push_back(name);
  return {name, std::move(shape)};
}

Value Build::weight(const std::string& name, Shape shape, Draw draw) {
  weights_.push_back({name, shape, draw});
  return {name, std::move(shape)};
}

Value Build::constant(const std::string& name, Tensor tensor) {
  Value value{name, tensor.shape()};
  const bool is_new = model_.graph.initializers.emplace(name, std::move(tensor)).second;
  check(is_new, "two constants have one name");
  return value;
}

Value Build::add(const std::string& op, const std::string& name, const std::vector<Value>& inputs,
                 Shape shape, Attributes attributes) {
  Node node{.name = name,
            .domain = {},
            .op = op,
            .inputs = {},
            .outputs = {name + "_output"},
            .attributes = std::move(attributes)};
  for (const Value& input : inputs) node.inputs.push_back(input.name);
  model_.graph.nodes.push_back(std::move(node));
  return {name + "_output", std::move(shape)};
}

void Build::draw_weights() {
  struct Piece {
    std::size_t weight;
    std::size_t begin;
  };
  std::vector<Tensor> tensors;
  std::vector<std::span<float>> elements;
  std::vector<Piece> pieces;
  for (const Weight& weight : weights_) {
    auto bytes = tensors.emplace_back(Tensor::zeros(ir::Scalar::F32, weight.shape)).writable();
    elements.emplace_back(reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float));
    for (std::size_t begin = 0; begin < elements.back().size(); begin += kPiece)
      pieces.push_back({elements.size() - 1, begin});
  }
  parallel_for(pieces.size(), static_cast<int>(allowed_cpus().size()), [&](std::size_t i) {
    const auto [weight, begin] = pieces[i];
    fill(elements[weight], begin, weights_[weight].draw, weight);
  });
  for (std::size_t i = 0; i < weights_.size(); ++i) constant(weights_[i].name, std::move(tensors[i]));
}

Model Build::finish(const std::vector<std::pair<std::string, Value>>& outputs) && {
  draw_weights();
  for (const auto& [name, value] : outputs) {
    for (Node& node : model_.graph.nodes) {
      std::ranges::replace(node.inputs, value.name, name);
      std::ranges::replace(node.outputs, value.name, name);
    }
    model_.outputs.push_back(port_of(name, ir::Scalar::F32, value.shape));
    model_.graph.outputs.push_back(name);
  }
  return std::move(model_);
}

}  // namespace hone::model
