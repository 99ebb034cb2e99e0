// Sums of products: matrices, batches of them, and whatever an Einsum names.
#include <map>

#include "base/error.h"
#include "task/define/define.h"
#include "task/define/strassen.h"

namespace hone::task::define {
namespace {

std::string numbered(const std::string& name, std::size_t number, std::size_t of) {
  return of == 1 ? name : name + std::to_string(number);
}

// The index of an operand whose batch broadcasts to the result's.
Index batch_index(const Shape& operand, const Axes& axes) {
  const std::size_t n_batch = axes.size() - 2, rank = operand.size() - 2;
  Index index;
  for (std::size_t d = 0; d < rank; ++d) {
    const Axis& axis = axes[n_batch - rank + d];
    index.push_back(operand[d] == axis.extent ? axis.var : ir::Expr(0));
  }
  return index;
}

// Of a product of two values: the right one is the weight when both are known.
Hints hints_of_product(Scope& scope, ValueId left, ValueId right) {
  return scope.is_constant(right) ? scope.hints_for(right) : scope.hints_for(left);
}

}  // namespace

void define(Scope& scope, const graph::Node& node, const graph::MatMul& product) {
  if (product.algorithm == graph::Algorithm::Strassen) return define_strassen(scope, node);
  const ValueId a = node.inputs[0], b = node.inputs[1], out = node.outputs[0];
  const Shape& shape = scope.shape(out);
  const std::size_t n_batch = shape.size() - 2;
  Axes axes;
  for (std::size_t d = 0; d < n_batch; ++d) {
    axes.push_back(ops::axis(numbered("b", d, n_batch), shape[d]));
  }
  axes.push_back(ops::axis("i", shape[n_batch]));
  axes.push_back(ops::axis("j", shape[n_batch + 1]));
  const Axis k = ops::axis("k", scope.shape(a).back());
  Index left = batch_index(scope.shape(a), axes), right = batch_index(scope.shape(b), axes);
  left.insert(left.end(), {axes[n_batch].var, k.var});
  right.insert(right.end(), {k.var, axes[n_batch + 1].var});
  const ir::Expr first = scope.read_to_sum(a, left), second = scope.read_to_sum(b, right);
  scope.bind(out, scope.draft().reduce("C", axes, {Reducer::Sum, {k}}, first * second,
                                       hints_of_product(scope, a, b)));
}

void define(Scope& scope, const graph::Node& node, const graph::Einsum& einsum) {
  const ValueId out = node.outputs[0];
  std::map<int, ir::Expr> axis_of;
  Axes axes, reduced;
  for (std::size_t d = 0; d < einsum.output.size(); ++d) {
    axes.push_back(ops::axis("i" + std::to_string(d), scope.shape(out)[d]));
    axis_of[einsum.output[d]] = axes.back().var;
  }
  if (axes.empty()) axes.push_back(ops::axis("i", 1));
  ir::Expr product;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const std::vector<int>& labels = einsum.inputs[i];
    Index index;
    for (std::size_t d = 0; d < labels.size(); ++d) {
      const std::int64_t extent = scope.shape(node.inputs[i])[d];
      if (!axis_of.contains(labels[d])) {
        reduced.push_back(ops::axis("k" + std::to_string(reduced.size()), extent));
        axis_of[labels[d]] = reduced.back().var;
      }
      index.push_back(axis_of[labels[d]]);
    }
    const ir::Expr factor = scope.read_to_sum(node.inputs[i], index);
    product = product ? product * factor : factor;
  }
  const Hints hints = hints_of_product(scope, node.inputs.front(), node.inputs.back());
  ops::Draft& draft = scope.draft();
  scope.bind(out, reduced.empty()
                      ? draft.compute("einsum", axes, product)
                      : draft.reduce("einsum", axes, {Reducer::Sum, reduced}, product, hints));
}

}  // namespace hone::task::define
