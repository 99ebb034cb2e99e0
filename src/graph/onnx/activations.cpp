// Activations: each is one map over floats.
#include "base/error.h"
#include "graph/onnx/activation.h"
#include "graph/onnx/readers.h"

namespace hone::graph::onnx {
namespace {

template <auto kBody>
std::vector<ValueId> over_floats(const Reading& r) {
  return {r.emit.map({r.float_input(0)}, [&](const auto& x) { return kBody(x[0], r.attributes); })};
}

Expr celu(const Expr& x, const Attributes& a) {
  const double alpha = a.number("alpha", 1);
  if (alpha == 0) throw UserError("its attribute `alpha` is 0");
  const Expr below = (exp(x * literal(1 / alpha, x)) - literal(1, x)) * literal(alpha, x);
  return relu(x) + ir::min(below, literal(0, x));
}

Expr selu(const Expr& x, const Attributes& a) {
  const double alpha = a.number("alpha", 1.67326319217681884765625);
  return elu(x, alpha) * literal(a.number("gamma", 1.05070102214813232421875), x);
}

Expr shrink(const Expr& x, const Attributes& a) {
  const Expr bias = literal(a.number("bias", 0), x);
  const double threshold = a.number("lambd", 0.5);
  return ir::select(x < literal(-threshold, x), x + bias,
                    ir::select(x > literal(threshold, x), x - bias, literal(0, x)));
}

Expr gelu_of(const Expr& x, const Attributes& a) {
  const std::string approximate = a.text("approximate", "none");
  if (approximate == "none") return gelu(x);
  if (approximate == "tanh") return gelu_by_tanh(x);
  throw UserError("its attribute `approximate` is neither `none` nor `tanh`");
}

std::vector<ValueId> read_relu(const Reading& r) {
  return {r.emit.map({r.input(0)}, [](const auto& x) { return relu(x[0]); })};
}

std::vector<ValueId> read_prelu(const Reading& r) {
  const ValueId x = r.float_input(0);
  ValueId slope = r.input(1);
  const bool is_per_channel = r.opset < 7 && r.emit.rank(slope) == 1 && r.emit.rank(x) >= 2;
  if (is_per_channel && r.emit.shape(slope) != Shape{1})
    slope = r.emit.per_channel(slope, r.emit.rank(x));
  return {r.emit.map({x, slope}, [](const auto& v) {
    return ir::select(v[0] < literal(0, v[0]), v[0] * v[1], v[0]);
  })};
}

}  // namespace

Readers activations() {
  using E = const Expr&;
  using A = const Attributes&;
  return {
      {"Relu", read_relu},
      {"PRelu", read_prelu},
      {"Celu", over_floats<celu>},
      {"Elu", over_floats<[](E x, A a) { return elu(x, a.number("alpha", 1)); }>},
      {"Gelu", over_floats<gelu_of>},
      {"HardSigmoid", over_floats<[](E x, A a) {
         return hard_sigmoid(x, a.number("alpha", 0.2), a.number("beta", 0.5));
       }>},
      {"HardSwish", over_floats<[](E x, A) { return x * hard_sigmoid(x, 1.0 / 6, 0.5); }>},
      {"LeakyRelu", over_floats<[](E x, A a) { return leaky_relu(x, a.number("alpha", 0.01)); }>},
      {"Mish", over_floats<[](E x, A) { return x * tanh(softplus(x)); }>},
      {"Selu", over_floats<selu>},
      {"Shrink", over_floats<shrink>},
      {"Sigmoid", over_floats<[](E x, A) { return sigmoid(x); }>},
      {"Softplus", over_floats<[](E x, A) { return softplus(x); }>},
      {"Softsign", over_floats<[](E x, A) { return softsign(x); }>},
      {"Tanh", over_floats<[](E x, A) { return tanh(x); }>},
      {"ThresholdedRelu",
       over_floats<[](E x, A a) { return thresholded_relu(x, a.number("alpha", 1)); }>},
  };
}

}  // namespace hone::graph::onnx
