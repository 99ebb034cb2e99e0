#include "task/define/winograd.h"

#include <cstring>

#include "graph/blocks.h"
#include "graph/builder.h"
#include "task/winograd.h"

namespace hone::task::define {
namespace {

// [size * size, 9]: a kernel of 3 x 3 elements in a row times its transpose is the transformed one.
graph::Tensor transform_matrix(std::int64_t tile) {
  const Matrix g = winograd_matrices(static_cast<int>(tile), ops::kWinogradTaps).g;
  const std::size_t size = g.size(), taps = g.front().size();
  std::vector<float> values;
  for (std::size_t row = 0; row < size * size; ++row) {
    for (std::size_t tap = 0; tap < taps * taps; ++tap) {
      values.push_back(static_cast<float>(g[row / size][tap / taps] * g[row % size][tap % taps]));
    }
  }
  graph::Tensor tensor = graph::Tensor::zeros(
      ir::Scalar::F32,
      {static_cast<std::int64_t>(size * size), static_cast<std::int64_t>(taps * taps)});
  std::memcpy(tensor.writable().data(), values.data(), tensor.bytes().size());
  return tensor;
}

}  // namespace

graph::Graph winograd_weight(const graph::ValueType& weight, const ops::Winograd& conv) {
  constexpr std::int64_t kTaps = ops::kWinogradTaps * ops::kWinogradTaps;
  const std::int64_t front = conv.windows.size() == 3 ? conv.windows.front().kernel : 1;
  graph::Builder b;
  const ValueId raw = b.input("weight", weight);
  ValueId w = b.apply("wide", graph::cast(weight.type, ir::Scalar::F32), {raw});
  if (conv.layout.is_blocked()) {
    const graph::FromBlocks last = graph::weights_from_blocks(weight.shape);
    w = b.apply("joined", graph::Reshape{last.joined},
                {b.apply("apart", graph::Transpose{last.order}, {w})});
  }
  const std::int64_t in = model::elements(conv.in), out = model::elements(conv.out);
  const ValueId matrix = b.constant(transform_matrix(conv.tile));
  const std::int64_t size = conv.tile + ops::kWinogradTaps - 1;
  ValueId by_kernel;  // [front, taps, in, out] or [out, in, front, taps] with transformed taps
  std::vector<int> order;
  if (conv.layout.channels_last() || conv.layout.is_blocked()) {
    const ValueId rows = b.apply("rows", graph::Reshape{{front, kTaps, in * out}}, {w});
    const ValueId product = b.apply("product", graph::MatMul{}, {matrix, rows});
    by_kernel = b.apply("kernels", graph::Reshape{{front, size, size, in, out}}, {product});
    order = {1, 2, 0, 4, 3};
  } else {
    const ValueId rows = b.apply("rows", graph::Reshape{{out * in * front, kTaps}}, {w});
    const ValueId turned = b.apply("turned", graph::Transpose{{1, 0}}, {matrix});
    const ValueId product = b.apply("product", graph::MatMul{}, {rows, turned});
    by_kernel = b.apply("kernels", graph::Reshape{{out, in, front, size, size}}, {product});
    order = {3, 4, 2, 0, 1};
  }
  const ValueId ordered = b.apply("ordered", graph::Transpose{order}, {by_kernel});
  const ValueId shaped = b.apply("shaped", graph::Reshape{ops::winograd_weight_shape(conv)}, {ordered});
  return b.finish({b.apply("narrow", graph::cast(ir::Scalar::F32, weight.type), {shaped})});
}

}  // namespace hone::task::define
