// SqueezeNet 1.1: a narrow 1 x 1 convolution in front of each pair of wide ones.
#include <fmt/format.h>

#include "model/builtin/layers.h"
#include "model/builtin/networks.h"

namespace hone::model {
namespace {

Value conv_relu(Build& build, const std::string& name, const Value& x, std::int64_t channels,
                const Window& window, After after = After::Relu) {
  const Value y = conv(build, name, x, channels, window, {.bias = true, .after = after});
  return relu(build, name + "_activation", y);
}

Value fire(Build& build, const std::string& name, const Value& x, std::int64_t squeezed,
           std::int64_t expanded) {
  const Value y = conv_relu(build, name + ".squeeze", x, squeezed, {.kernel = {1}});
  return concat(build, name + ".concat",
                {conv_relu(build, name + ".expand1x1", y, expanded, {.kernel = {1}}),
                 conv_relu(build, name + ".expand3x3", y, expanded, {.kernel = {3}, .padding = {1}})});
}

}  // namespace

Model squeezenet() {
  struct Fire {
    std::int64_t squeezed, expanded;
  };
  const std::vector<std::vector<Fire>> stages = {
      {{16, 64}, {16, 64}}, {{32, 128}, {32, 128}}, {{48, 192}, {48, 192}, {64, 256}, {64, 256}}};
  Build build("squeezenet");
  Value x = image(build, {1, 3, 224, 224});
  x = conv_relu(build, "features.0", x, 64, {.kernel = {3}, .stride = {2}}, After::Linear);
  int feature = 2;
  const auto next = [&] { return fmt::format("features.{}", feature++); };
  for (const auto& stage : stages) {
    x = max_pool(build, next(), x, {.kernel = {3}, .stride = {2}});
    for (const auto& [squeezed, expanded] : stage) x = fire(build, next(), x, squeezed, expanded);
  }
  x = conv_relu(build, "classifier.1", x, 1000, {.kernel = {1}});
  x = flatten(build, "flatten", global_average_pool(build, "classifier.3", x));
  return std::move(build).finish({{"output", x}});
}

}  // namespace hone::model
