// Inception-V3: blocks of parallel branches whose outputs are joined.
#include "model/builtin/layers.h"
#include "model/builtin/networks.h"

namespace hone::model {
namespace {

const Window kPoint = {.kernel = {1}};
const Window kSame3x3 = {.kernel = {3}, .padding = {1}};
const Window kSame5x5 = {.kernel = {5}, .padding = {2}};
const Window kSame1x3 = {.kernel = {1, 3}, .padding = {0, 1}};
const Window kSame3x1 = {.kernel = {3, 1}, .padding = {1, 0}};
const Window kSame1x7 = {.kernel = {1, 7}, .padding = {0, 3}};
const Window kSame7x1 = {.kernel = {7, 1}, .padding = {3, 0}};
const Window kHalve3x3 = {.kernel = {3}, .stride = {2}};

Value unit(Build& build, const std::string& name, const Value& x, std::int64_t channels,
           const Window& window, After after = After::Relu) {
  const Value y = conv(build, name + ".conv", x, channels, window, {.after = after});
  return relu(build, name + ".relu", batch_norm(build, name + ".bn", y, 1, 1e-3));
}

// A block under construction: its name, and layers called by what they are in it.
struct Block {
  Build& build;
  std::string name;

  Value unit(const std::string& layer, const Value& x, std::int64_t channels,
             const Window& window) const {
    return model::unit(build, name + "." + layer, x, channels, window);
  }
  Value averaged(const Value& x, std::int64_t channels) const {
    return unit("branch_pool", average_pool(build, name + ".pool", x, kSame3x3), channels, kPoint);
  }
  Value halved(const Value& x) const { return max_pool(build, name + ".pool", x, kHalve3x3); }
  Value join(const std::vector<Value>& branches, const std::string& layer = "concat") const {
    return concat(build, name + "." + layer, branches);
  }
};

Value block_a(const Block& block, const Value& x, std::int64_t pool_channels) {
  const Value point = block.unit("branch1x1", x, 64, kPoint);
  Value five = block.unit("branch5x5_1", x, 48, kPoint);
  five = block.unit("branch5x5_2", five, 64, kSame5x5);
  Value three = block.unit("branch3x3dbl_1", x, 64, kPoint);
  three = block.unit("branch3x3dbl_2", three, 96, kSame3x3);
  three = block.unit("branch3x3dbl_3", three, 96, kSame3x3);
  return block.join({point, five, three, block.averaged(x, pool_channels)});
}

Value block_b(const Block& block, const Value& x) {
  const Value once = block.unit("branch3x3", x, 384, kHalve3x3);
  Value twice = block.unit("branch3x3dbl_1", x, 64, kPoint);
  twice = block.unit("branch3x3dbl_2", twice, 96, kSame3x3);
  twice = block.unit("branch3x3dbl_3", twice, 96, kHalve3x3);
  return block.join({once, twice, block.halved(x)});
}

Value block_c(const Block& block, const Value& x, std::int64_t inner) {
  const Value point = block.unit("branch1x1", x, 192, kPoint);
  Value once = block.unit("branch7x7_1", x, inner, kPoint);
  once = block.unit("branch7x7_2", once, inner, kSame1x7);
  once = block.unit("branch7x7_3", once, 192, kSame7x1);
  Value twice = block.unit("branch7x7dbl_1", x, inner, kPoint);
  twice = block.unit("branch7x7dbl_2", twice, inner, kSame7x1);
  twice = block.unit("branch7x7dbl_3", twice, inner, kSame1x7);
  twice = block.unit("branch7x7dbl_4", twice, inner, kSame7x1);
  twice = block.unit("branch7x7dbl_5", twice, 192, kSame1x7);
  return block.join({point, once, twice, block.averaged(x, 192)});
}

Value block_d(const Block& block, const Value& x) {
  Value three = block.unit("branch3x3_1", x, 192, kPoint);
  three = block.unit("branch3x3_2", three, 320, kHalve3x3);
  Value seven = block.unit("branch7x7x3_1", x, 192, kPoint);
  seven = block.unit("branch7x7x3_2", seven, 192, kSame1x7);
  seven = block.unit("branch7x7x3_3", seven, 192, kSame7x1);
  seven = block.unit("branch7x7x3_4", seven, 192, kHalve3x3);
  return block.join({three, seven, block.halved(x)});
}

Value block_e(const Block& block, const Value& x) {
  const auto fork = [&](const std::string& layer, const Value& y) {
    return block.join(
        {block.unit(layer + "a", y, 384, kSame1x3), block.unit(layer + "b", y, 384, kSame3x1)},
        layer + ".concat");
  };
  const Value point = block.unit("branch1x1", x, 320, kPoint);
  const Value once = fork("branch3x3_2", block.unit("branch3x3_1", x, 384, kPoint));
  Value twice = block.unit("branch3x3dbl_1", x, 448, kPoint);
  twice = fork("branch3x3dbl_3", block.unit("branch3x3dbl_2", twice, 384, kSame3x3));
  return block.join({point, once, twice, block.averaged(x, 192)});
}

Value stem(Build& build, const Value& input) {
  Value x = unit(build, "Conv2d_1a_3x3", input, 32, kHalve3x3, After::Linear);
  x = unit(build, "Conv2d_2a_3x3", x, 32, {.kernel = {3}});
  x = unit(build, "Conv2d_2b_3x3", x, 64, kSame3x3);
  x = max_pool(build, "maxpool1", x, kHalve3x3);
  x = unit(build, "Conv2d_3b_1x1", x, 80, kPoint);
  x = unit(build, "Conv2d_4a_3x3", x, 192, {.kernel = {3}});
  return max_pool(build, "maxpool2", x, kHalve3x3);
}

}  // namespace

Model inception_v3() {
  Build build("inception_v3");
  const auto block = [&](const char* name) { return Block{build, name}; };
  Value x = stem(build, image(build, {1, 3, 299, 299}));
  x = block_a(block("Mixed_5b"), x, 32);
  x = block_a(block("Mixed_5c"), x, 64);
  x = block_a(block("Mixed_5d"), x, 64);
  x = block_b(block("Mixed_6a"), x);
  x = block_c(block("Mixed_6b"), x, 128);
  x = block_c(block("Mixed_6c"), x, 160);
  x = block_c(block("Mixed_6d"), x, 160);
  x = block_c(block("Mixed_6e"), x, 192);
  x = block_d(block("Mixed_7a"), x);
  x = block_e(block("Mixed_7b"), x);
  x = block_e(block("Mixed_7c"), x);
  x = flatten(build, "flatten", global_average_pool(build, "avgpool", x));
  x = linear(build, "fc", x, 1000);
  return std::move(build).finish({{"output", x}});
}

}  // namespace hone::model
