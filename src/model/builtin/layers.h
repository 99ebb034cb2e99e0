// Layers of convolutional networks, with PyTorch's meaning and as its exporter writes them. A layer's
// name is the one in the published definition; weights are called name.weight, name.bias, ...
#pragma once
#include <string>
#include <vector>

#include "model/build.h"

namespace hone::model {

// One entry a spatial dimension, or one for all of them. Padding is the same on both sides.
struct Window {
  std::vector<std::int64_t> kernel;
  std::vector<std::int64_t> stride = {1};
  std::vector<std::int64_t> padding = {0};
};

// The second moment of a layer's output over that of its input is kept at 1 by weights that depend on
// what the input went through: half of it is gone behind a rectifier.
enum class After : std::uint8_t { Relu, Linear };

struct ConvOptions {
  std::int64_t groups = 1;
  bool bias = false;
  After after = After::Relu;
};

Value image(Build& build, Shape shape);  // the input called "input"

Value conv(Build& build, const std::string& name, const Value& x, std::int64_t channels,
           const Window& window, ConvOptions options = {});
Value conv_transpose(Build& build, const std::string& name, const Value& x, std::int64_t channels,
                     const Window& window);  // no bias
Value linear(Build& build, const std::string& name, const Value& x, std::int64_t features,
             After after = After::Linear);  // of [batch, features]

// Statistics near 0 and 1, a scale near `gain`.
Value batch_norm(Build& build, const std::string& name, const Value& x, double gain = 1,
                 double epsilon = 1e-5);

Value relu(Build& build, const std::string& name, const Value& x);
Value relu6(Build& build, const std::string& name, const Value& x);
Value add(Build& build, const std::string& name, const Value& a, const Value& b);
Value concat(Build& build, const std::string& name, const std::vector<Value>& parts);  // channels

Value max_pool(Build& build, const std::string& name, const Value& x, const Window& window);
Value average_pool(Build& build, const std::string& name, const Value& x,
                   const Window& window);  // of the padding too
Value global_average_pool(Build& build, const std::string& name, const Value& x);
Value flatten(Build& build, const std::string& name, const Value& x);  // to [batch, features]

}  // namespace hone::model
