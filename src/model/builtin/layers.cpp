#include "model/builtin/layers.h"

#include <cmath>
#include <functional>
#include <numeric>

#include "base/error.h"

namespace hone::model {
namespace {

using Numbers = std::vector<std::int64_t>;

std::int64_t product(const Numbers& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{1}, std::multiplies<>());
}

Numbers spread(const Numbers& numbers, std::size_t rank) {
  check(numbers.size() == rank || numbers.size() == 1,
        "one number a spatial dimension, or one for all");
  return numbers.size() == rank ? numbers : Numbers(rank, numbers[0]);
}

Window spread(const Window& window, const Value& x) {
  const std::size_t rank = x.shape.size() - 2;
  return {spread(window.kernel, rank), spread(window.stride, rank), spread(window.padding, rank)};
}

Attributes attributes_of(const Window& window) {
  Numbers pads = window.padding;
  pads.insert(pads.end(), window.padding.begin(), window.padding.end());
  return {{"kernel_shape", window.kernel}, {"strides", window.stride}, {"pads", pads}};
}

Shape slid(const Value& x, std::int64_t channels, const Window& window) {
  Shape shape{x.shape[0], channels};
  for (std::size_t i = 0; i < window.kernel.size(); ++i) {
    const std::int64_t reach = x.shape[i + 2] + 2 * window.padding[i] - window.kernel[i];
    shape.push_back(reach / window.stride[i] + 1);
  }
  return shape;
}

Draw weights_for(double inputs, After after) {
  return deviating(std::sqrt((after == After::Relu ? 2.0 : 1.0) / inputs));
}

Draw near(double mean, double spread) {
  return {.mean = static_cast<float>(mean), .spread = static_cast<float>(spread)};
}

const Draw kBias = deviating(0.05);

Value pool(Build& build, const std::string& op, const std::string& name, const Value& x,
           const Window& given, Attributes more) {
  const Window window = spread(given, x);
  more.merge(attributes_of(window));
  return build.add(op, name, {x}, slid(x, x.shape[1], window), std::move(more));
}

}  // namespace

Value image(Build& build, Shape shape) {
  return build.input("input", ir::Scalar::F32, std::move(shape));
}

Value conv(Build& build, const std::string& name, const Value& x, std::int64_t channels,
           const Window& given, ConvOptions options) {
  const Window window = spread(given, x);
  const std::int64_t inputs = x.shape[1] / options.groups;
  Shape shape{channels, inputs};
  shape.insert(shape.end(), window.kernel.begin(), window.kernel.end());
  const auto fan_in = static_cast<double>(inputs * product(window.kernel));
  std::vector<Value> operands{
      x, build.weight(name + ".weight", shape, weights_for(fan_in, options.after))};
  if (options.bias) operands.push_back(build.weight(name + ".bias", {channels}, kBias));
  Attributes attributes = attributes_of(window);
  attributes["group"] = options.groups;
  attributes["dilations"] = Numbers(window.kernel.size(), 1);
  return build.add("Conv", name, operands, slid(x, channels, window), std::move(attributes));
}

Value conv_transpose(Build& build, const std::string& name, const Value& x, std::int64_t channels,
                     const Window& given) {
  const Window window = spread(given, x);
  Shape shape{x.shape[1], channels};
  shape.insert(shape.end(), window.kernel.begin(), window.kernel.end());
  // An output element meets one input in each stride's worth of the kernel, and a lone input element
  // all of it.
  std::int64_t met = product(window.kernel) / product(window.stride);
  Shape out{x.shape[0], channels};
  for (std::size_t i = 0; i < window.kernel.size(); ++i) {
    if (x.shape[i + 2] == 1) met = met * window.stride[i] / window.kernel[i];
    out.push_back((x.shape[i + 2] - 1) * window.stride[i] + window.kernel[i] - 2 * window.padding[i]);
  }
  const Draw draw = weights_for(static_cast<double>(x.shape[1] * met), After::Relu);
  return build.add("ConvTranspose", name, {x, build.weight(name + ".weight", shape, draw)}, out,
                   attributes_of(window));
}

Value linear(Build& build, const std::string& name, const Value& x, std::int64_t features,
             After after) {
  const std::int64_t inputs = x.shape[1];
  const Draw draw = weights_for(static_cast<double>(inputs), after);
  return build.add("Gemm", name,
                   {x, build.weight(name + ".weight", {features, inputs}, draw),
                    build.weight(name + ".bias", {features}, kBias)},
                   {x.shape[0], features}, {{"transB", std::int64_t{1}}});
}

Value batch_norm(Build& build, const std::string& name, const Value& x, double gain, double epsilon) {
  const Shape shape{x.shape[1]};
  return build.add("BatchNormalization", name,
                   {x, build.weight(name + ".weight", shape, near(gain, 0.2 * gain)),
                    build.weight(name + ".bias", shape, near(0, 0.1)),
                    build.weight(name + ".running_mean", shape, near(0, 0.1)),
                    build.weight(name + ".running_var", shape, near(1, 0.2))},
                   x.shape, {{"epsilon", epsilon}});
}

Value relu(Build& build, const std::string& name, const Value& x) {
  return build.add("Relu", name, {x}, x.shape);
}

Value relu6(Build& build, const std::string& name, const Value& x) {
  return build.add("Clip", name,
                   {x, build.constant(name + ".min", float_scalar(0)),
                    build.constant(name + ".max", float_scalar(6))},
                   x.shape);
}

Value add(Build& build, const std::string& name, const Value& a, const Value& b) {
  check(a.shape == b.shape, "a residual has the shape of what it is added to");
  return build.add("Add", name, {a, b}, a.shape);
}

Value concat(Build& build, const std::string& name, const std::vector<Value>& parts) {
  Shape shape = parts.at(0).shape;
  shape[1] = 0;
  for (const Value& part : parts) shape[1] += part.shape[1];
  return build.add("Concat", name, parts, shape, {{"axis", std::int64_t{1}}});
}

Value max_pool(Build& build, const std::string& name, const Value& x, const Window& window) {
  return pool(build, "MaxPool", name, x, window, {});
}

Value average_pool(Build& build, const std::string& name, const Value& x, const Window& window) {
  return pool(build, "AveragePool", name, x, window, {{"count_include_pad", std::int64_t{1}}});
}

Value global_average_pool(Build& build, const std::string& name, const Value& x) {
  Shape shape(x.shape.size(), 1);
  shape[0] = x.shape[0];
  shape[1] = x.shape[1];
  return build.add("GlobalAveragePool", name, {x}, shape);
}

Value flatten(Build& build, const std::string& name, const Value& x) {
  return build.add("Flatten", name, {x}, {x.shape[0], elements(x.shape) / x.shape[0]},
                   {{"axis", std::int64_t{1}}});
}

}  // namespace hone::model
