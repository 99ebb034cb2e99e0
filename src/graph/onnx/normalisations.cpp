// Normalisations: of batches, layers, instances, groups and neighbourhoods.
#include <fmt/format.h>

#include "base/error.h"
#include "graph/onnx/activation.h"
#include "graph/onnx/axes.h"
#include "graph/onnx/normalise.h"
#include "graph/onnx/readers.h"

namespace hone::graph::onnx {
namespace {

constexpr double kEpsilon = 1e-5;  // ONNX's default

double epsilon_of(const Reading& r) { return r.attributes.number("epsilon", kEpsilon); }

std::size_t rank_with_channels(const Reading& r) {
  const std::size_t rank = r.emit.rank(r.float_input(0));
  if (rank < 2) throw UserError("its input has no channels");
  return rank;
}

// One factor and one summand a channel, known when the statistics are.
std::vector<ValueId> read_batch_normalization(const Reading& r) {
  const std::size_t rank = rank_with_channels(r);
  if (r.opset >= 14 && r.attributes.flag("training_mode", false))
    throw UserError("it is in training mode", "export the model for inference");
  if (r.opset < 9 && !r.attributes.flag("spatial", true))
    throw UserError("its attribute `spatial` is 0, which is not supported");
  const double epsilon = epsilon_of(r);
  const ValueId factor = r.emit.map({r.float_input(1), r.float_input(4)}, [&](const auto& x) {
    return x[0] / sqrt(x[1] + literal(epsilon, x[1]));
  });
  const ValueId summand =
      r.emit.map({r.input(2), r.input(3), factor}, [](const auto& x) { return x[0] - x[1] * x[2]; });
  return {scale_and_shift(r.emit, r.input(0), r.emit.per_channel(factor, rank),
                          r.emit.per_channel(summand, rank))};
}

std::vector<ValueId> read_instance_normalization(const Reading& r) {
  const std::size_t rank = rank_with_channels(r);
  const ValueId y = normalise(r.emit, r.input(0), axes_from(2, rank), epsilon_of(r)).value;
  return {scale_and_shift(r.emit, y, r.emit.per_channel(r.input(1), rank),
                          r.emit.per_channel(r.input(2), rank))};
}

std::vector<ValueId> read_layer_normalization(const Reading& r) {
  const ValueId x = r.float_input(0);
  const int axis = axis_in(r.attributes.integer("axis", -1), r.emit.rank(x));
  const Normalised y = normalise(r.emit, x, axes_from(axis, r.emit.rank(x)), epsilon_of(r));
  const ValueId bias = r.has_input(2) ? r.input(2) : kLeftOut;
  return {scale_and_shift(r.emit, y.value, r.input(1), bias), y.mean, y.factor};
}

std::vector<ValueId> read_rms_normalization(const Reading& r) {
  const ValueId x = r.float_input(0);
  const int axis = axis_in(r.attributes.integer("axis", -1), r.emit.rank(x));
  const ValueId y = normalise_by_squares(r.emit, x, axes_from(axis, r.emit.rank(x)), epsilon_of(r));
  return {scale_and_shift(r.emit, y, r.input(1), kLeftOut)};
}

// Scale and bias are one a group in opset 18, one a channel since opset 21.
std::vector<ValueId> read_group_normalization(const Reading& r) {
  const std::size_t rank = rank_with_channels(r);
  const Shape shape = r.emit.shape(r.input(0));
  const std::int64_t groups = r.attributes.required_integer("num_groups");
  if (groups <= 0 || shape[1] % groups != 0)
    throw UserError(fmt::format("its {} channels do not make {} groups", shape[1], groups));
  Shape split = shape;
  split.insert(split.begin() + 1, groups);
  split[2] = shape[1] / groups;
  const ValueId apart = r.emit.reshape(r.input(0), split);
  const ValueId y = normalise(r.emit, apart, axes_from(2, split.size()), epsilon_of(r)).value;
  if (r.emit.shape(r.input(1)) != Shape{shape[1]}) {
    return {r.emit.reshape(scale_and_shift(r.emit, y, r.emit.per_channel(r.input(1), split.size()),
                                           r.emit.per_channel(r.input(2), split.size())),
                           shape)};
  }
  return {scale_and_shift(r.emit, r.emit.reshape(y, shape), r.emit.per_channel(r.input(1), rank),
                          r.emit.per_channel(r.input(2), rank))};
}

std::vector<ValueId> read_mean_variance_normalization(const Reading& r) {
  const ValueId x = r.float_input(0);
  const std::vector<std::int64_t> usual{0, 2, 3};
  const auto axes = axes_in(r.attributes.integers("axes").value_or(usual), r.emit.rank(x));
  constexpr double kTiny = 1e-18;  // the square of what ONNX adds to the standard deviation
  return {normalise(r.emit, x, axes, kTiny).value};
}

std::vector<ValueId> read_lp_normalization(const Reading& r) {
  const ValueId x = r.float_input(0);
  const int axis = axis_in(r.attributes.integer("axis", -1), r.emit.rank(x));
  const std::int64_t p = r.attributes.integer("p", 2);
  if (p != 1 && p != 2) throw UserError("its attribute `p` is neither 1 nor 2");
  const ValueId powers =
      r.emit.map({x}, [&](const auto& v) { return p == 1 ? abs(v[0]) : v[0] * v[0]; });
  return {r.emit.map({x, r.emit.reduce(Reduction::Sum, powers, {axis})},
                     [&](const auto& v) { return v[0] / (p == 1 ? v[1] : sqrt(v[1])); })};
}

// Sums of squares over neighbouring channels are a pool whose window slides along them.
std::vector<ValueId> read_lrn(const Reading& r) {
  rank_with_channels(r);
  const ValueId x = r.input(0);
  const Shape shape = r.emit.shape(x);
  const std::int64_t size = r.attributes.required_integer("size");
  if (size < 1 || size > 1'000'000) throw UserError(fmt::format("its attribute `size` is {}", size));
  const ValueId squares = r.emit.map({x}, [](const auto& v) { return v[0] * v[0]; });
  const Window window{.kernel = {size, 1},
                      .strides = {1, 1},
                      .dilations = {1, 1},
                      .before = {(size - 1) / 2, 0},
                      .after = {size / 2, 0}};
  const ValueId sums = r.emit.reshape(
      r.emit.add(Pool{Reduction::Sum, window},
                 {r.emit.reshape(squares, {shape[0], 1, shape[1], product(shape, 2, shape.size())})}),
      shape);
  const double alpha = r.attributes.number("alpha", 1e-4) / static_cast<double>(size);
  const double beta = r.attributes.number("beta", 0.75);
  const double bias = r.attributes.number("bias", 1);
  return {r.emit.map({x, sums},
                     [&](const auto& v) { return v[0] * power(affine(v[1], alpha, bias), -beta); })};
}

}  // namespace

Readers normalisations() {
  return {
      {"BatchNormalization", read_batch_normalization},
      {"GroupNormalization", read_group_normalization},
      {"InstanceNormalization", read_instance_normalization},
      {"LRN", read_lrn},
      {"LayerNormalization", read_layer_normalization},
      {"LpNormalization", read_lp_normalization},
      {"MeanVarianceNormalization", read_mean_variance_normalization},
      {"SimplifiedLayerNormalization", read_rms_normalization},
  };
}

}  // namespace hone::graph::onnx
