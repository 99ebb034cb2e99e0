// Fused operators that ONNX Runtime's optimiser writes into files.
#include "graph/onnx/activation.h"
#include "graph/onnx/axes.h"
#include "graph/onnx/normalise.h"
#include "graph/onnx/product.h"
#include "graph/onnx/readers.h"

namespace hone::graph::onnx {
namespace {

// An activation of the first input, or of the sum of two.
template <auto kBody>
std::vector<ValueId> of_sum(const Reading& r) {
  if (!r.has_input(1))
    return {r.emit.map({r.float_input(0)}, [](const auto& x) { return kBody(x[0]); })};
  return {r.emit.map({r.float_input(0), r.input(1)}, [](const auto& x) { return kBody(x[0] + x[1]); })};
}

std::vector<ValueId> read_quick_gelu(const Reading& r) {
  const double alpha = r.attributes.number("alpha", 1.702);
  return {r.emit.map({r.float_input(0)},
                     [&](const auto& x) { return x[0] * sigmoid(x[0] * literal(alpha, x[0])); })};
}

std::vector<ValueId> read_fused_matmul(const Reading& r) {
  ValueId a = r.input(0), b = r.input(1);
  if (r.attributes.flag("transA", false)) a = swap_last(r.emit, a);
  if (r.attributes.flag("transB", false)) b = swap_last(r.emit, b);
  return {scaled_product(r.emit, a, b, r.attributes.number("alpha", 1))};
}

// input, skip, gamma, beta, bias; the fourth output is the sum that was normalised.
std::vector<ValueId> read_skip_layer_normalization(const Reading& r) {
  std::vector<ValueId> parts{r.float_input(0), r.input(1)};
  if (r.has_input(4)) parts.push_back(r.input(4));
  const ValueId sum =
      r.emit.map(parts, [](const auto& x) { return x.size() == 2 ? x[0] + x[1] : x[0] + x[1] + x[2]; });
  const std::vector<int> axes{axis_in(-1, r.emit.rank(sum))};
  const Normalised y = normalise(r.emit, sum, axes, r.attributes.number("epsilon", 1e-12));
  const ValueId beta = r.has_input(3) ? r.input(3) : kLeftOut;
  return {scale_and_shift(r.emit, y.value, r.input(2), beta), y.mean, y.factor, sum};
}

}  // namespace

Readers microsoft() {
  return {
      {"BiasGelu", of_sum<gelu>},         {"FastGelu", of_sum<gelu_by_tanh>},
      {"FusedMatMul", read_fused_matmul}, {"Gelu", of_sum<gelu>},
      {"QuickGelu", read_quick_gelu},     {"SkipLayerNormalization", read_skip_layer_normalization},
  };
}

}  // namespace hone::graph::onnx
