// The generator of DCGAN: transposed convolutions from 100 numbers to an image.
#include <fmt/format.h>

#include "model/builtin/layers.h"
#include "model/builtin/networks.h"

namespace hone::model {

Model dcgan() {
  Build build("dcgan");
  Value x = image(build, {1, 100, 1, 1});
  int place = 0;  // in the example's sequence, which is called main
  const auto next = [&] { return fmt::format("main.{}", place++); };
  for (const std::int64_t channels : {512, 256, 128, 64}) {
    const Window window =
        channels == 512 ? Window{.kernel = {4}} : Window{.kernel = {4}, .stride = {2}, .padding = {1}};
    x = conv_transpose(build, next(), x, channels, window);
    x = batch_norm(build, next(), x);
    x = relu(build, next(), x);
  }
  x = conv_transpose(build, next(), x, 3, {.kernel = {4}, .stride = {2}, .padding = {1}});
  x = build.add("Tanh", next(), {x}, x.shape);
  return std::move(build).finish({{"output", x}});
}

}  // namespace hone::model
