#include "graph/onnx/product.h"

#include <numeric>

#include "base/error.h"

namespace hone::graph::onnx {

ValueId swap_last(const Emitter& emit, ValueId a) {
  std::vector<int> order(emit.rank(a));
  if (order.size() < 2) throw UserError("it transposes what is no matrix");
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return emit.transpose(a, std::move(order));
}

ValueId scaled_product(const Emitter& emit, ValueId a, ValueId b, double factor) {
  return emit.scaled(emit.matmul(a, b), factor);
}

}  // namespace hone::graph::onnx
