// Products of matrices.
#include <fmt/format.h>

#include "base/error.h"
#include "graph/onnx/product.h"
#include "graph/onnx/readers.h"

namespace hone::graph::onnx {
namespace {

// A vector on the left is a row, one on the right a column; the dimension of 1 goes again.
std::vector<ValueId> read_matmul(const Reading& r) {
  ValueId a = r.input(0), b = r.input(1);
  const bool is_row = r.emit.rank(a) == 1, is_column = r.emit.rank(b) == 1;
  if (is_row) a = r.emit.reshape(a, {1, r.emit.shape(a)[0]});
  if (is_column) b = r.emit.reshape(b, {r.emit.shape(b)[0], 1});
  const ValueId y = r.emit.matmul(a, b);
  Shape shape = r.emit.shape(y);
  if (is_row) shape.erase(shape.end() - 2);
  if (is_column) shape.pop_back();
  return {r.emit.reshape(y, shape)};
}

std::vector<ValueId> read_gemm(const Reading& r) {
  for (const std::size_t i : {0, 1}) {
    if (r.emit.rank(r.input(i)) != 2) throw UserError(fmt::format("its input {} is no matrix", i + 1));
  }
  ValueId a = r.input(0), b = r.input(1);
  if (r.attributes.flag("transA", false)) a = swap_last(r.emit, a);
  if (r.attributes.flag("transB", false)) b = swap_last(r.emit, b);
  const double alpha = r.attributes.number("alpha", 1), beta = r.attributes.number("beta", 1);
  const ValueId y = scaled_product(r.emit, a, b, alpha);
  if (!r.has_input(2) || beta == 0) return {y};
  return {r.emit.map({y, r.input(2)}, [&](const auto& x) {
    return x[0] + (beta == 1 ? x[1] : x[1] * literal(beta, x[1]));
  })};
}

}  // namespace

Readers matmuls() { return {{"Gemm", read_gemm}, {"MatMul", read_matmul}}; }

}  // namespace hone::graph::onnx
