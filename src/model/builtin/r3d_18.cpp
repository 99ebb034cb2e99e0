// R3D-18: ResNet-18 over frames, every convolution in three dimensions.
#include <fmt/format.h>

#include "model/builtin/networks.h"
#include "model/builtin/residual.h"

namespace hone::model {
namespace {

Value block(Build& build, const std::string& name, const Value& x, std::int64_t planes,
            std::int64_t stride) {
  Value y =
      conv(build, name + ".conv1.0", x, planes, {.kernel = {3}, .stride = {stride}, .padding = {1}});
  y = relu(build, name + ".conv1.2", batch_norm(build, name + ".conv1.1", y));
  y = conv(build, name + ".conv2.0", y, planes, {.kernel = {3}, .padding = {1}});
  return residual(build, name, x, batch_norm(build, name + ".conv2.1", y, kBranchGain), stride);
}

}  // namespace

Model r3d_18() {
  Build build("r3d_18");
  Value x = image(build, {1, 3, 16, 112, 112});
  x = conv(build, "stem.0", x, 64, {.kernel = {3, 7, 7}, .stride = {1, 2, 2}, .padding = {1, 3, 3}},
           {.after = After::Linear});
  x = relu(build, "stem.2", batch_norm(build, "stem.1", x));
  for (int layer = 1; layer <= 4; ++layer) {
    const std::int64_t planes = std::int64_t{32} << layer;
    x = block(build, fmt::format("layer{}.0", layer), x, planes, layer == 1 ? 1 : 2);
    x = block(build, fmt::format("layer{}.1", layer), x, planes, 1);
  }
  x = flatten(build, "flatten", global_average_pool(build, "avgpool", x));
  x = linear(build, "fc", x, 400);
  return std::move(build).finish({{"output", x}});
}

}  // namespace hone::model
