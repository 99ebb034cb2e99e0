// MobileNet-V2: inverted residuals whose outputs are linear.
#include <fmt/format.h>

#include "model/builtin/layers.h"
#include "model/builtin/networks.h"

namespace hone::model {
namespace {

Value conv_norm_relu6(Build& build, const std::string& name, const Value& x, std::int64_t channels,
                      const Window& window, ConvOptions options) {
  const Value y = conv(build, name + ".0", x, channels, window, options);
  return relu6(build, name + ".2", batch_norm(build, name + ".1", y));
}

Value inverted_residual(Build& build, const std::string& name, const Value& x, std::int64_t channels,
                        std::int64_t stride, std::int64_t expansion) {
  const std::int64_t hidden = x.shape[1] * expansion;
  int part = 0;
  const auto next = [&] { return fmt::format("{}.conv.{}", name, part++); };
  Value y = x;
  if (expansion != 1)
    y = conv_norm_relu6(build, next(), y, hidden, {.kernel = {1}}, {.after = After::Linear});
  y = conv_norm_relu6(build, next(), y, hidden, {.kernel = {3}, .stride = {stride}, .padding = {1}},
                      {.groups = hidden});
  y = conv(build, next(), y, channels, {.kernel = {1}});
  const bool is_residual = stride == 1 && x.shape[1] == channels;
  y = batch_norm(build, next(), y, is_residual ? 0.5 : 1.0);  // sums stay near the scale of their parts
  return is_residual ? add(build, name + ".add", x, y) : y;
}

}  // namespace

Model mobilenet_v2() {
  struct Stage {
    std::int64_t expansion, channels;
    int repeats;
    std::int64_t stride;
  };
  constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                               {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
  Build build("mobilenet_v2");
  Value x = image(build, {1, 3, 224, 224});
  int feature = 0;
  const auto next = [&] { return fmt::format("features.{}", feature++); };
  x = conv_norm_relu6(build, next(), x, 32, {.kernel = {3}, .stride = {2}, .padding = {1}},
                      {.after = After::Linear});
  for (const Stage& stage : kStages) {
    for (int i = 0; i < stage.repeats; ++i)
      x = inverted_residual(build, next(), x, stage.channels, i == 0 ? stage.stride : 1,
                            stage.expansion);
  }
  x = conv_norm_relu6(build, next(), x, 1280, {.kernel = {1}}, {.after = After::Linear});
  x = flatten(build, "flatten", global_average_pool(build, "avgpool", x));
  x = linear(build, "classifier.1", x, 1000);
  return std::move(build).finish({{"output", x}});
}

}  // namespace hone::model
