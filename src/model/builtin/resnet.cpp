// ResNet-18, ResNet-50 and ResNeXt-50.
#include <fmt/format.h>

#include "model/builtin/networks.h"
#include "model/builtin/residual.h"

namespace hone::model {
namespace {

struct ResNet {
  std::string name;
  std::vector<int> blocks;  // in each of the four layers
  bool is_bottleneck = false;
  std::int64_t groups = 1;        // of a bottleneck's middle convolution
  std::int64_t width_factor = 1;  // channels in a bottleneck over its planes
};

Value basic_block(Build& build, const std::string& name, const Value& x, std::int64_t planes,
                  std::int64_t stride) {
  Value y =
      conv(build, name + ".conv1", x, planes, {.kernel = {3}, .stride = {stride}, .padding = {1}});
  y = relu(build, name + ".relu1", batch_norm(build, name + ".bn1", y));
  y = conv(build, name + ".conv2", y, planes, {.kernel = {3}, .padding = {1}});
  return residual(build, name, x, batch_norm(build, name + ".bn2", y, kBranchGain), stride);
}

Value bottleneck(Build& build, const std::string& name, const Value& x, std::int64_t width,
                 std::int64_t channels, std::int64_t stride, std::int64_t groups) {
  Value y = conv(build, name + ".conv1", x, width, {.kernel = {1}});
  y = relu(build, name + ".relu1", batch_norm(build, name + ".bn1", y));
  y = conv(build, name + ".conv2", y, width, {.kernel = {3}, .stride = {stride}, .padding = {1}},
           {.groups = groups});
  y = relu(build, name + ".relu2", batch_norm(build, name + ".bn2", y));
  y = conv(build, name + ".conv3", y, channels, {.kernel = {1}});
  return residual(build, name, x, batch_norm(build, name + ".bn3", y, kBranchGain), stride);
}

Model make(const ResNet& network) {
  constexpr std::int64_t kExpansion = 4;  // channels of a bottleneck's output over its planes
  Build build(network.name);
  Value x = image(build, {1, 3, 224, 224});
  x = conv(build, "conv1", x, 64, {.kernel = {7}, .stride = {2}, .padding = {3}},
           {.after = After::Linear});
  x = relu(build, "relu", batch_norm(build, "bn1", x));
  x = max_pool(build, "maxpool", x, {.kernel = {3}, .stride = {2}, .padding = {1}});
  std::int64_t planes = 64;
  for (std::size_t layer = 0; layer < network.blocks.size(); ++layer, planes *= 2) {
    for (int block = 0; block < network.blocks[layer]; ++block) {
      const std::string name = fmt::format("layer{}.{}", layer + 1, block);
      const std::int64_t stride = layer > 0 && block == 0 ? 2 : 1;
      x = network.is_bottleneck ? bottleneck(build, name, x, planes * network.width_factor,
                                             planes * kExpansion, stride, network.groups)
                                : basic_block(build, name, x, planes, stride);
    }
  }
  x = flatten(build, "flatten", global_average_pool(build, "avgpool", x));
  x = linear(build, "fc", x, 1000);
  return std::move(build).finish({{"output", x}});
}

}  // namespace

Model resnet18() { return make({.name = "resnet18", .blocks = {2, 2, 2, 2}}); }

Model resnet50() { return make({.name = "resnet50", .blocks = {3, 4, 6, 3}, .is_bottleneck = true}); }

Model resnext50() {
  return make({.name = "resnext50",
               .blocks = {3, 4, 6, 3},
               .is_bottleneck = true,
               .groups = 32,
               .width_factor = 2});  // 32 groups of 4 where planes are 64
}

}  // namespace hone::model
