#include "task/define/strassen.h"

#include <cstring>
#include <optional>

#include "graph/builder.h"
#include "task/ops/strassen.h"

namespace hone::task::define {
namespace {

using graph::MatMul;

// A value that is spread over the product's result [m, n], or is as large.
std::optional<Shape> in_quarters(const Shape& shape, std::int64_t m, std::int64_t n) {
  if (shape.size() > 2) return std::nullopt;
  const auto is_one_of = [](std::int64_t extent, std::int64_t whole) {
    return extent == 1 || extent == whole;
  };
  Shape quarters;
  if (shape.size() == 2) {
    if (!is_one_of(shape[0], m)) return std::nullopt;
    quarters = shape[0] == 1 ? Shape{1, 1} : Shape{m / 2, 2};
  }
  if (!shape.empty()) {
    if (!is_one_of(shape.back(), n)) return std::nullopt;
    const bool is_spread = shape.back() == 1;
    quarters.insert(quarters.end(), {is_spread ? 1 : 2, is_spread ? 1 : n / 2});
  }
  return quarters;
}

std::optional<std::map<ValueId, Shape>> shapes_in_quarters(const Piece& piece) {
  const graph::Node& product = piece.nodes.front();
  const Shape &a = piece.shapes.at(product.inputs[0]), &b = piece.shapes.at(product.inputs[1]);
  if (a.size() != 2 || b.size() != 2) return std::nullopt;
  const std::int64_t m = a[0], k = a[1], n = b[1];
  if (m % 2 != 0 || k % 2 != 0 || n % 2 != 0) return std::nullopt;
  std::map<ValueId, Shape> all;
  for (const auto& [value, shape] : piece.shapes) {
    const bool is_weight = value == product.inputs[1], is_factor = value == product.inputs[0];
    const auto quarters = is_weight ? std::optional(shape) : in_quarters(shape, m, is_factor ? k : n);
    if (!quarters) return std::nullopt;
    all[value] = *quarters;
  }
  return all;
}

// From the weight [k, n] to the sums of its quarters [7, k/2, n/2].
graph::Graph sums_of_quarters(const graph::ValueType& weight) {
  const std::int64_t k = weight.shape[0] / 2, n = weight.shape[1] / 2;
  graph::Builder b;
  const ValueId raw = b.input("weight", weight);
  const ValueId wide = b.apply("wide", graph::cast(weight.type, ir::Scalar::F32), {raw});
  std::vector<float> values;
  for (const std::vector<double>& row : ops::strassen_matrices().right)
    values.insert(values.end(), row.begin(), row.end());
  graph::Tensor right = graph::Tensor::zeros(ir::Scalar::F32, {ops::kStrassenProducts, 4});
  std::memcpy(right.writable().data(), values.data(), right.bytes().size());
  const ValueId halves = b.apply("halves", graph::Reshape{{2, k, 2, n}}, {wide});
  const ValueId quarters = b.apply("quarters", graph::Transpose{{0, 2, 1, 3}}, {halves});
  const ValueId rows = b.apply("rows", graph::Reshape{{4, k * n}}, {quarters});
  const ValueId sums = b.apply("sums", MatMul{}, {b.constant(right), rows});
  const ValueId shaped = b.apply("shaped", graph::Reshape{{ops::kStrassenProducts, k, n}}, {sums});
  return b.finish({b.apply("narrow", graph::cast(ir::Scalar::F32, weight.type), {shaped})});
}

}  // namespace

void cut_into_quarters(Piece& piece) {
  auto* product = std::get_if<MatMul>(&piece.nodes.front().op);
  if (product == nullptr || product->algorithm != graph::Algorithm::Strassen) return;
  if (auto quarters = shapes_in_quarters(piece)) {
    piece.shapes = std::move(*quarters);
  } else {
    product->algorithm = graph::Algorithm::Direct;
  }
}

void define_strassen(Scope& scope, const graph::Node& product) {
  const ValueId weight = product.inputs[1];
  const ir::Buffer a = scope.tensor(product.inputs[0], "A");
  const ir::Buffer sums =
      scope.prepared(weight, "W", sums_of_quarters({scope.type(weight).scalar, scope.shape(weight)}));
  scope.bind(product.outputs[0],
             ops::multiply_quarters(scope.draft(), a, sums, scope.hints_for(weight)));
}

}  // namespace hone::task::define
