// VGG-16: stacks of 3 x 3 convolutions.
#include <fmt/format.h>

#include "model/builtin/layers.h"
#include "model/builtin/networks.h"

namespace hone::model {

Model vgg16() {
  constexpr std::pair<std::int64_t, int> kStacks[] = {{64, 2}, {128, 2}, {256, 3}, {512, 3}, {512, 3}};
  Build build("vgg16");
  Value x = image(build, {1, 3, 224, 224});
  int feature = 0;
  const auto next = [&] { return fmt::format("features.{}", feature++); };
  for (const auto& [channels, repeats] : kStacks) {
    for (int i = 0; i < repeats; ++i) {
      const After after = feature == 0 ? After::Linear : After::Relu;
      x = conv(build, next(), x, channels, {.kernel = {3}, .padding = {1}},
               {.bias = true, .after = after});
      x = relu(build, next(), x);
    }
    x = max_pool(build, next(), x, {.kernel = {2}, .stride = {2}});
  }
  x = flatten(build, "flatten", x);
  x = relu(build, "classifier.1", linear(build, "classifier.0", x, 4096, After::Relu));
  x = relu(build, "classifier.4", linear(build, "classifier.3", x, 4096, After::Relu));
  x = linear(build, "classifier.6", x, 1000, After::Relu);
  return std::move(build).finish({{"output", x}});
}

}  // namespace hone::model
