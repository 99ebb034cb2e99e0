// DenseNet-121: every layer of a block reads all that came before it in the block.
#include <fmt/format.h>

#include "model/builtin/layers.h"
#include "model/builtin/networks.h"

namespace hone::model {
namespace {

constexpr std::int64_t kGrowth = 32;  // channels that a layer adds
constexpr std::int64_t kBottleneck = 4 * kGrowth;

Value norm_relu(Build& build, const std::string& name, const std::string& number, const Value& x) {
  return relu(build, name + "relu" + number, batch_norm(build, name + "norm" + number, x));
}

Value dense_block(Build& build, const std::string& name, const Value& x, int layers) {
  std::vector<Value> features{x};
  for (int i = 1; i <= layers; ++i) {
    const std::string layer = fmt::format("{}.denselayer{}.", name, i);
    Value y = features.size() == 1 ? x : concat(build, layer + "concat", features);
    y = norm_relu(build, layer, "1", y);
    y = norm_relu(build, layer, "2", conv(build, layer + "conv1", y, kBottleneck, {.kernel = {1}}));
    features.push_back(conv(build, layer + "conv2", y, kGrowth, {.kernel = {3}, .padding = {1}}));
  }
  return concat(build, name + ".concat", features);
}

Value transition(Build& build, const std::string& name, const Value& x) {
  Value y = norm_relu(build, name + ".", "", x);
  y = conv(build, name + ".conv", y, x.shape[1] / 2, {.kernel = {1}});
  return average_pool(build, name + ".pool", y, {.kernel = {2}, .stride = {2}});
}

}  // namespace

Model densenet121() {
  constexpr int kLayers[] = {6, 12, 24, 16};
  Build build("densenet121");
  Value x = image(build, {1, 3, 224, 224});
  x = conv(build, "features.conv0", x, 2 * kGrowth, {.kernel = {7}, .stride = {2}, .padding = {3}},
           {.after = After::Linear});
  x = norm_relu(build, "features.", "0", x);
  x = max_pool(build, "features.pool0", x, {.kernel = {3}, .stride = {2}, .padding = {1}});
  for (int block = 1; block <= 4; ++block) {
    x = dense_block(build, fmt::format("features.denseblock{}", block), x, kLayers[block - 1]);
    if (block < 4) x = transition(build, fmt::format("features.transition{}", block), x);
  }
  x = norm_relu(build, "features.", "5", x);
  x = flatten(build, "flatten", global_average_pool(build, "avgpool", x));
  x = linear(build, "classifier", x, 1000);
  return std::move(build).finish({{"output", x}});
}

}  // namespace hone::model
