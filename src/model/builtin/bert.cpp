// BERT: embeddings, layers of self-attention, and a pooler; attention and GELU by parts, as exported.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "model/builtin/layers.h"
#include "model/builtin/networks.h"

namespace hone::model {
namespace {

constexpr std::int64_t kSequence = 128;
constexpr std::int64_t kPositions = 512;  // the longest sequence
constexpr std::int64_t kVocabulary = 30522;
constexpr std::int64_t kHeadWidth = 64;

// Of the last dimension, with the weight as MatMul reads it.
Value dense(Build& build, const std::string& name, const Value& x, std::int64_t features) {
  const std::int64_t inputs = x.shape.back();
  const Draw draw = deviating(1 / std::sqrt(static_cast<double>(inputs)));
  const Value weight = build.weight(name + ".weight", {inputs, features}, draw);
  const Value bias = build.weight(name + ".bias", {features}, deviating(0.05));
  Shape shape = x.shape;
  shape.back() = features;
  return build.add("Add", name + ".add", {bias, build.add("MatMul", name, {x, weight}, shape)}, shape);
}

Value layer_norm(Build& build, const std::string& name, const Value& x) {
  const Value scale = build.weight(name + ".weight", {x.shape.back()}, {.mean = 1, .spread = 0.2F});
  const Value bias = build.weight(name + ".bias", {x.shape.back()}, {.mean = 0, .spread = 0.1F});
  return build.add("LayerNormalization", name, {x, scale, bias}, x.shape,
                   {{"axis", std::int64_t{-1}}, {"epsilon", 1e-12}});
}

Value reshape(Build& build, const std::string& name, const Value& x, const Shape& shape) {
  const Value wanted = build.constant(name + ".shape", int64_tensor(shape));
  return build.add("Reshape", name, {x, wanted}, shape);
}

Value transpose(Build& build, const std::string& name, const Value& x,
                const std::vector<std::int64_t>& order) {
  Shape shape;
  for (const std::int64_t from : order) shape.push_back(x.shape[static_cast<std::size_t>(from)]);
  return build.add("Transpose", name, {x}, shape, {{"perm", order}});
}

// x op number
Value apply(Build& build, const std::string& op, const std::string& name, const Value& x,
            double number) {
  const Value operand = build.constant(name + ".operand", float_scalar(static_cast<float>(number)));
  return build.add(op, name, {x, operand}, x.shape);
}

Value embedding(Build& build, const std::string& name, std::int64_t rows, std::int64_t width,
                const Value& ids) {
  const Value table = build.weight(name + ".weight", {rows, width}, deviating(0.5));
  return build.add("Gather", name, {table, ids}, {1, kSequence, width}, {{"axis", std::int64_t{0}}});
}

Value embeddings(Build& build, std::int64_t width, const Value& ids, const Value& kinds) {
  std::vector<std::int64_t> places(kSequence);
  std::iota(places.begin(), places.end(), 0);
  const Value positions =
      build.constant("embeddings.position_ids", int64_tensor(places).reshaped({1, kSequence}));
  Value x = embedding(build, "embeddings.word_embeddings", kVocabulary, width, ids);
  x = add(build, "embeddings.add_kinds", x,
          embedding(build, "embeddings.token_type_embeddings", 2, width, kinds));
  x = add(build, "embeddings.add_positions", x,
          embedding(build, "embeddings.position_embeddings", kPositions, width, positions));
  return layer_norm(build, "embeddings.LayerNorm", x);
}

// 0 where a token takes part and the least float where it does not, for every head and row.
Value additive_mask(Build& build, const Value& mask) {
  const Value axes = build.constant("mask.axes", int64_tensor({1, 2}));
  const Shape shape{1, 1, 1, kSequence};
  Value x = build.add("Unsqueeze", "mask.unsqueeze", {mask, axes}, shape);
  x = build.add("Cast", "mask.cast", {x}, shape, {{"to", std::int64_t{1}}});
  const Value one = build.constant("mask.one", float_scalar(1));
  x = build.add("Sub", "mask.invert", {one, x}, shape);
  return apply(build, "Mul", "mask.scale", x, std::numeric_limits<float>::lowest());
}

Value attention(Build& build, const std::string& name, const Value& x, const Value& mask) {
  const std::int64_t width = x.shape.back();
  const std::int64_t heads = width / kHeadWidth;
  const auto project = [&](const std::string& part, const std::vector<std::int64_t>& order) {
    const std::string full = name + ".self." + part;
    const Value y = reshape(build, full + ".reshape", dense(build, full, x, width),
                            {1, kSequence, heads, kHeadWidth});
    return transpose(build, full + ".transpose", y, order);
  };
  const Value query = project("query", {0, 2, 1, 3});
  const Value key = project("key", {0, 2, 3, 1});
  const Value value = project("value", {0, 2, 1, 3});
  const Shape square{1, heads, kSequence, kSequence};
  Value scores = build.add("MatMul", name + ".scores", {query, key}, square);
  scores = apply(build, "Div", name + ".scale", scores, std::sqrt(static_cast<double>(kHeadWidth)));
  scores = build.add("Add", name + ".mask", {scores, mask}, square);
  scores = build.add("Softmax", name + ".softmax", {scores}, square, {{"axis", std::int64_t{-1}}});
  Value y = build.add("MatMul", name + ".context", {scores, value}, query.shape);
  y = transpose(build, name + ".transpose", y, {0, 2, 1, 3});
  y = dense(build, name + ".output.dense", reshape(build, name + ".reshape", y, x.shape), width);
  return layer_norm(build, name + ".output.LayerNorm", add(build, name + ".residual", y, x));
}

Value gelu(Build& build, const std::string& name, const Value& x) {
  Value y = apply(build, "Div", name + ".div", x, std::sqrt(2.0));
  y = build.add("Erf", name + ".erf", {y}, x.shape);
  y = apply(build, "Add", name + ".one", y, 1);
  y = build.add("Mul", name + ".mul", {x, y}, x.shape);
  return apply(build, "Mul", name + ".half", y, 0.5);
}

Value layer(Build& build, const std::string& name, const Value& input, const Value& mask) {
  const Value x = attention(build, name + ".attention", input, mask);
  const std::int64_t width = x.shape.back();
  Value y = dense(build, name + ".intermediate.dense", x, 4 * width);
  y = dense(build, name + ".output.dense", gelu(build, name + ".gelu", y), width);
  return layer_norm(build, name + ".output.LayerNorm", add(build, name + ".residual", y, x));
}

Model make(const std::string& model_name, int layers, std::int64_t width) {
  Build build(model_name);
  const Value ids = build.input("input_ids", ir::Scalar::I64, {1, kSequence});
  const Value mask = build.input("attention_mask", ir::Scalar::I64, {1, kSequence});
  const Value kinds = build.input("token_type_ids", ir::Scalar::I64, {1, kSequence});
  Value x = embeddings(build, width, ids, kinds);
  const Value added = additive_mask(build, mask);
  for (int i = 0; i < layers; ++i) x = layer(build, fmt::format("encoder.layer.{}", i), x, added);
  const Value first = build.constant("pooler.first", int64_tensor({0}).reshaped({}));
  Value pooled =
      build.add("Gather", "pooler.gather", {x, first}, {1, width}, {{"axis", std::int64_t{1}}});
  pooled = linear(build, "pooler.dense", pooled, width);
  pooled = build.add("Tanh", "pooler.activation", {pooled}, pooled.shape);
  return std::move(build).finish({{"last_hidden_state", x}, {"pooler_output", pooled}});
}

}  // namespace

Model bert_base() { return make("bert_base", 12, 768); }
Model bert_tiny() { return make("bert_tiny", 2, 128); }

}  // namespace hone::model
