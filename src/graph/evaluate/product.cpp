// Matrix products and sums of products in general.
#include <algorithm>
#include <map>

#include "graph/evaluate/elements.h"
#include "graph/evaluate/multiply.h"
#include "graph/evaluate/operators.h"

namespace hone::graph {
namespace {

// Strides of an operand for each label of `labels`; a label that stands twice takes both.
Strides label_strides(const std::vector<int>& term, const Shape& shape,
                      const std::vector<int>& labels) {
  const Strides dense = dense_strides(shape);
  Strides strides(labels.size(), 0);
  for (std::size_t d = 0; d < term.size(); ++d) {
    const auto found = std::ranges::find(labels, term[d]);
    if (found != labels.end()) strides[static_cast<std::size_t>(found - labels.begin())] += dense[d];
  }
  return strides;
}

}  // namespace

Tensors evaluate_op(const MatMul&, Operands inputs, OutputTypes types) {
  const Shape &a_shape = inputs[0].shape(), &b_shape = inputs[1].shape(), &shape = types[0].shape;
  const std::int64_t rows = a_shape[a_shape.size() - 2], depth = a_shape.back(),
                     columns = b_shape.back();
  // One row a pair of matrices: the batch dimensions and one more of extent 1.
  const auto batch = [](const Shape& of) {
    Shape outer(of.begin(), of.end() - 2);
    outer.push_back(1);
    return outer;
  };
  const Shape batches = batch(shape);
  return for_wide_type(types[0].type, [&]<class Wide>(Wide) -> Tensors {
    std::vector<Wide> out(static_cast<std::size_t>(model::elements(shape)));
    auto to = out.begin();
    const std::vector<Strides> strides = {broadcast_strides(batch(a_shape), batches),
                                          broadcast_strides(batch(b_shape), batches)};
    for_each_row(batches, strides, [&](std::span<const std::int64_t> matrices) {
      std::vector<Wide> a(static_cast<std::size_t>(rows * depth));
      read_elements<Wide>(inputs[0], matrices[0] * rows * depth, 1, a);
      const auto fill = [&](std::int64_t first, std::span<Wide> panel) {
        const auto count = static_cast<std::size_t>(std::min(kPanelColumns, columns - first));
        for (std::int64_t k = 0; k < depth; ++k) {
          read_elements<Wide>(inputs[1], (matrices[1] * depth + k) * columns + first, 1,
                              panel.subspan(static_cast<std::size_t>(k * kPanelColumns), count));
        }
      };
      const auto size = static_cast<std::size_t>(rows * columns);
      multiply<Wide>(a, rows, depth, columns, fill, std::span(to, size));
      to += rows * columns;
    });
    return {narrow(types[0], out)};
  });
}

Tensors evaluate_op(const Einsum& op, Operands inputs, OutputTypes types) {
  // The output's labels, then those that are summed.
  std::vector<int> labels = op.output;
  Shape extents = types[0].shape;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t d = 0; d < op.inputs[i].size(); ++d) {
      if (std::ranges::find(labels, op.inputs[i][d]) != labels.end()) continue;
      labels.push_back(op.inputs[i][d]);
      extents.push_back(inputs[i].shape()[d]);
    }
  }
  std::vector<Strides> strides = {label_strides(op.output, types[0].shape, labels)};
  for (std::size_t i = 0; i < inputs.size(); ++i)
    strides.push_back(label_strides(op.inputs[i], inputs[i].shape(), labels));
  return for_wide_type(types[0].type, [&]<class Wide>(Wide) -> Tensors {
    std::vector<std::vector<Wide>> in;
    for (const Tensor& input : inputs) in.push_back(widen<Wide>(input));
    std::vector<Wide> out(static_cast<std::size_t>(model::elements(types[0].shape)));
    const std::int64_t row = row_extent(extents);
    for_each_row(extents, strides, [&](std::span<const std::int64_t> offsets) {
      for (std::int64_t i = 0; i < row; ++i) {
        Wide term = 1;
        for (std::size_t n = 0; n < in.size(); ++n) {
          const std::int64_t at = offsets[n + 1] + i * row_stride(strides[n + 1]);
          term = product(term, in[n][static_cast<std::size_t>(at)]);
        }
        Wide& total = out[static_cast<std::size_t>(offsets[0] + i * row_stride(strides[0]))];
        total = sum(total, term);
      }
    });
    return {narrow(types[0], out)};
  });
}

}  // namespace hone::graph
