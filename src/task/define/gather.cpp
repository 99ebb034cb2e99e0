// Elements whose places are elements of another tensor.
#include <algorithm>

#include "ir/element.h"
#include "task/define/define.h"

namespace hone::task::define {
namespace {

// Whether every element is a place in front of `end`, counted from the front.
bool are_places(const std::optional<graph::Tensor>& indices, std::int64_t end) {
  if (!indices) return false;
  const auto size = static_cast<std::size_t>(ir::size_bytes(indices->type()));
  for (std::size_t at = 0; at < indices->bytes().size(); at += size) {
    const std::int64_t place = ir::read_number(indices->type(), indices->bytes().data() + at).i;
    if (place < 0 || place >= end) return false;
  }
  return true;
}

// The place that an element of `indices` names along a dimension of `extent`. Negative ones count from
// the end. Nothing outside of the dimension is ever read, whatever a caller passes.
ir::Expr place(Scope& scope, ValueId indices, const Index& at, std::int64_t extent) {
  const ir::Expr index = ir::cast(ir::kIndex, scope.load(indices, at));
  if (are_places(scope.constant(indices), extent)) return index;
  const ir::Expr counted = ir::select(index < 0, index + extent, index);
  return ir::min(ir::max(counted, ir::Expr(0)), ir::Expr(extent - 1));
}

std::ptrdiff_t step(std::size_t n) { return static_cast<std::ptrdiff_t>(n); }

}  // namespace

void define(Scope& scope, const graph::Node& node, const graph::Gather& gather) {
  const ValueId data = node.inputs[0], indices = node.inputs[1], out = node.outputs[0];
  const auto along = static_cast<std::size_t>(gather.axis);
  const std::size_t n_indices = scope.shape(indices).size();
  const Axes axes = scope.axes(scope.shape(out));
  const Index at = ops::index_of(axes);
  const Index inner(at.begin() + step(along), at.begin() + step(along + n_indices));
  Index from(at.begin(), at.begin() + step(along));
  from.push_back(place(scope, indices, inner, scope.shape(data)[along]));
  for (std::size_t d = along + 1; d < scope.shape(data).size(); ++d) {
    from.push_back(at[d - 1 + n_indices]);
  }
  scope.compute(out, "gather", axes, scope.load(data, from));
}

void define(Scope& scope, const graph::Node& node, const graph::GatherElements& gather) {
  const ValueId data = node.inputs[0], indices = node.inputs[1], out = node.outputs[0];
  const auto along = static_cast<std::size_t>(gather.axis);
  const Axes axes = scope.axes(scope.shape(out));
  const Index at = ops::index_of(axes);
  Index from = at;
  from[along] = place(scope, indices, at, scope.shape(data)[along]);
  scope.compute(out, "gather_elements", axes, scope.load(data, from));
}

void define(Scope& scope, const graph::Node& node, const graph::GatherND& gather) {
  const ValueId data = node.inputs[0], indices = node.inputs[1], out = node.outputs[0];
  const auto n_batch = static_cast<std::size_t>(gather.batch_dims);
  const std::size_t n_outer = scope.shape(indices).size() - 1;
  const std::int64_t n_named = scope.shape(indices).back();
  const Axes axes = scope.axes(scope.shape(out));
  const Index at = ops::index_of(axes);
  Index from(at.begin(), at.begin() + step(n_batch));
  Index tuple(at.begin(), at.begin() + step(n_outer));
  tuple.emplace_back(0);
  for (std::int64_t i = 0; i < n_named; ++i) {
    tuple.back() = ir::Expr(i);
    from.push_back(place(scope, indices, tuple, scope.shape(data)[from.size()]));
  }
  for (std::size_t d = n_outer; from.size() < scope.shape(data).size(); ++d) from.push_back(at[d]);
  scope.compute(out, "gather_nd", axes, scope.load(data, from));
}

}  // namespace hone::task::define
