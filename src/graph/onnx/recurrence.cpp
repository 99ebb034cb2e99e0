#include "graph/onnx/recurrence.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "graph/onnx/product.h"

namespace hone::graph::onnx {
namespace {

Activation activation_named(const std::string& name, std::optional<double> alpha,
                            std::optional<double> beta) {
  if (name == "Relu") return relu;
  if (name == "Sigmoid") return sigmoid;
  if (name == "Softplus") return softplus;
  if (name == "Softsign") return softsign;
  if (name == "Tanh") return [](const Expr& x) { return tanh(x); };
  const double a = alpha.value_or(name == "HardSigmoid" ? 0.2 : name == "LeakyRelu" ? 0.01 : 1);
  const double b = beta.value_or(name == "HardSigmoid" ? 0.5 : name == "Affine" ? 0 : 1);
  if (name == "Affine") return [=](const Expr& x) { return affine(x, a, b); };
  if (name == "Elu") return [=](const Expr& x) { return elu(x, a); };
  if (name == "HardSigmoid") return [=](const Expr& x) { return hard_sigmoid(x, a, b); };
  if (name == "LeakyRelu") return [=](const Expr& x) { return leaky_relu(x, a); };
  if (name == "ScaledTanh")
    return [=](const Expr& x) { return tanh(x * literal(b, x)) * literal(a, x); };
  if (name == "ThresholdedRelu") return [=](const Expr& x) { return thresholded_relu(x, a); };
  throw UserError(fmt::format("its activation `{}` is unknown", name));
}

Activation clipped(const Activation& activation, double limit) {
  return [=](const Expr& x) {
    return activation(ir::min(ir::max(x, literal(-limit, x)), literal(limit, x)));
  };
}

// Those of all directions, one after the other.
std::vector<Activation> activations_of(const Attributes& attributes,
                                       const std::vector<std::string>& usual, std::size_t directions) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < directions; ++i) names.insert(names.end(), usual.begin(), usual.end());
  const std::size_t count = names.size();
  names = attributes.texts("activations").value_or(names);
  if (names.size() != count)
    throw UserError(fmt::format("it has {} activations, not {}", names.size(), count));
  const auto alphas = attributes.numbers("activation_alpha").value_or(std::vector<double>{});
  const auto betas = attributes.numbers("activation_beta").value_or(std::vector<double>{});
  const auto entry = [](const std::vector<double>& list, std::size_t i) {
    return i < list.size() ? std::optional(list[i]) : std::nullopt;
  };
  std::vector<Activation> activations;
  for (std::size_t i = 0; i < count; ++i) {
    activations.push_back(activation_named(names[i], entry(alphas, i), entry(betas, i)));
    if (attributes.has("clip"))
      activations.back() = clipped(activations.back(), attributes.number("clip", 0));
  }
  return activations;
}

// The extents that all inputs of the node share.
struct Extents {
  std::int64_t directions, sequence, batch, input, hidden, gates;
};

Extents extents_of(const Reading& r, ValueId x, std::int64_t gates, std::int64_t directions) {
  const Shape shape = r.emit.shape(x);
  const Shape recurrent = r.emit.shape(r.input(2));
  if (recurrent.size() != 3) throw UserError("its recurrent weights do not have three dimensions");
  if (r.attributes.integer("hidden_size", recurrent[2]) != recurrent[2])
    throw UserError("its attribute `hidden_size` differs from its weights");
  return {directions, shape[0], shape[1], shape[2], recurrent[2], gates};
}

// One direction of an input that has them in its first dimension, which goes.
ValueId part(const Reading& r, ValueId input, const char* what, const Extents& e,
             std::int64_t direction, const Shape& shape) {
  Shape whole = shape;
  whole.insert(whole.begin(), e.directions);
  if (r.emit.shape(input) != whole)
    throw UserError(fmt::format("its {} do not fit its other inputs", what));
  return r.emit.reshape(r.emit.slice(input, 0, direction, 1), shape);
}

std::vector<ValueId> states_of(const Reading& r, const Extents& e, std::int64_t direction,
                               std::size_t count, bool batch_first) {
  constexpr std::size_t kFirstState = 5;  // its place among the inputs
  const Shape shape{e.batch, e.hidden};
  std::vector<ValueId> states;
  for (std::size_t i = kFirstState; i < kFirstState + count; ++i) {
    if (!r.has_input(i)) {
      states.push_back(r.emit.expand(r.emit.builder().scalar(0, r.emit.type(r.input(0))), shape));
      continue;
    }
    const ValueId all = batch_first && r.emit.rank(r.input(i)) == 3
                            ? r.emit.transpose(r.input(i), {1, 0, 2})
                            : r.input(i);
    states.push_back(part(r, all, "initial states", e, direction, shape));
  }
  return states;
}

Direction direction_of(const Reading& r, const Extents& e, std::int64_t number) {
  const std::int64_t rows = e.gates * e.hidden;
  Direction direction;
  direction.w = swap_last(r.emit, part(r, r.input(1), "weights", e, number, {rows, e.input}));
  direction.r =
      swap_last(r.emit, part(r, r.input(2), "recurrent weights", e, number, {rows, e.hidden}));
  if (r.has_input(3)) {
    const ValueId biases = part(r, r.input(3), "biases", e, number, {2 * rows});
    direction.w_bias = r.emit.slice(biases, 0, 0, rows);
    direction.r_bias = r.emit.slice(biases, 0, rows, rows);
  }
  constexpr std::size_t kPeepholes = 7;
  if (r.has_input(kPeepholes))
    direction.peepholes = part(r, r.input(kPeepholes), "peepholes", e, number, {3 * e.hidden});
  direction.sequence = e.sequence;
  direction.batch = e.batch;
  direction.hidden = e.hidden;
  return direction;
}

void require_full_sequences(const Reading& r, std::int64_t sequence) {
  if (!r.has_input(4)) return;
  const std::vector<std::int64_t> lengths = r.integers(4, "sequence lengths");
  if (std::ranges::any_of(lengths, [&](std::int64_t length) { return length != sequence; }))
    throw UserError("its sequences are of different lengths, which is not supported");
}

}  // namespace

Layer layer_of(const Reading& r, std::int64_t gates, std::size_t states,
               const std::vector<std::string>& usual) {
  Layer layer{.directions = {}, .batch_first = r.attributes.flag("layout", false)};
  ValueId x = r.float_input(0);
  if (r.emit.rank(x) != 3) throw UserError("its input does not have three dimensions");
  if (layer.batch_first) x = r.emit.transpose(x, {1, 0, 2});
  const std::string way = r.attributes.text("direction", "forward");
  if (way != "forward" && way != "reverse" && way != "bidirectional")
    throw UserError(fmt::format("its direction `{}` is unknown", way));
  const Extents extents = extents_of(r, x, gates, way == "bidirectional" ? 2 : 1);
  require_full_sequences(r, extents.sequence);
  const auto n = static_cast<std::size_t>(extents.directions);
  const std::vector<Activation> activations = activations_of(r.attributes, usual, n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto number = static_cast<std::int64_t>(i);
    Direction direction = direction_of(r, extents, number);
    direction.x = x;
    direction.reverse = way == "reverse" || i == 1;
    direction.states = states_of(r, extents, number, states, layer.batch_first);
    const auto first = activations.begin() + static_cast<std::ptrdiff_t>(i * usual.size());
    direction.activations.assign(first, first + static_cast<std::ptrdiff_t>(usual.size()));
    layer.directions.push_back(std::move(direction));
  }
  return layer;
}

ValueId input_gates(const Emitter& emit, const Direction& d, ValueId bias) {
  const std::int64_t rows = d.sequence * d.batch;
  const ValueId flat = emit.reshape(d.x, {rows, emit.shape(d.x)[2]});
  ValueId gates = emit.matmul(flat, d.w);
  if (bias != kLeftOut) gates = emit.map({gates, bias}, [](const auto& v) { return v[0] + v[1]; });
  return emit.reshape(gates, {d.sequence, d.batch, emit.shape(gates)[1]});
}

std::vector<ValueId> outputs_of(const Reading& r, const Layer& layer,
                                const std::vector<std::vector<ValueId>>& ends) {
  const Direction& any = layer.directions.front();
  const std::size_t states = any.states.size();
  std::vector<ValueId> outputs(states + 1);
  for (std::size_t i = 0; i <= states; ++i) {
    const bool is_stacked = i == states;
    std::vector<ValueId> parts;
    for (const std::vector<ValueId>& end : ends) {
      parts.push_back(r.emit.reshape(end[i], is_stacked ? Shape{any.sequence, 1, any.batch, any.hidden}
                                                        : Shape{1, any.batch, any.hidden}));
    }
    ValueId joined = r.emit.concat(parts, is_stacked ? 1 : 0);
    if (layer.batch_first)
      joined = r.emit.transpose(joined, is_stacked ? std::vector{2, 0, 1, 3} : std::vector{1, 0, 2});
    outputs[is_stacked ? 0 : i + 1] = joined;
  }
  return outputs;
}

}  // namespace hone::graph::onnx
