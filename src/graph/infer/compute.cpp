// Operators that compute on whole dimensions: maps, reductions, products, orders.
#include <algorithm>
#include <map>
#include <unordered_set>

#include "graph/infer/rules.h"

namespace hone::graph {
namespace {

// Integers have few functions, bools none, floats no shifts.
bool has_function(ir::Scalar type, ir::Function function) {
  using ir::Function;
  if (function == Function::Reinterpret) return true;
  const bool is_shift = function == Function::ShiftLeft || function == Function::ShiftRight;
  if (ir::is_float(type)) return !is_shift;
  return ir::is_int(type) && (is_shift || function == Function::Abs || function == Function::Fma);
}

// A body holds scalar arithmetic on the operands and nothing else. Parts may be shared many times over,
// so each node is looked at once.
void require_body(const Map& op) {
  std::unordered_set<const ir::Node*> seen;
  for (const ir::Expr& operand : op.operands) seen.insert(operand.get());
  std::vector<ir::Expr> pending = {op.body};
  while (!pending.empty()) {
    const ir::Expr e = pending.back();
    pending.pop_back();
    if (!seen.insert(e.get()).second) continue;
    if (e.as<ir::Variable>()) refuse("its body has variable {}, which is no operand", ir::name_of(e));
    if (e.as<ir::Load>() || e.type().lanes != 1) refuse("its body takes scalars only");
    const auto* call = e.as<ir::Call>();
    if (call && !has_function(e.type().scalar, call->function))
      refuse("{} has no {}", ir::to_string(e.type()), ir::name_of(call->function));
    ir::for_each_child(e, [&](const ir::Expr& child) { pending.push_back(child); });
  }
}

}  // namespace

Types infer_types(const Map& op, Inputs inputs) {
  if (inputs.empty()) refuse("takes at least one input");
  require_inputs(inputs, op.operands.size());
  ValueType result;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ir::Expr& operand = op.operands[i];
    if (!operand.as<ir::Variable>() || operand.type() != ir::Type{inputs[i].type})
      refuse("operand {} is no variable of the type of {}", i, print(inputs[i]));
    result.shape = broadcast(result.shape, inputs[i].shape);
  }
  if (!op.body) refuse("has no body");
  require_body(op);
  result.type = op.body.type().scalar;
  return {result};
}

Types infer_types(const Reduce& op, Inputs inputs) {
  require_inputs(inputs, 1);
  ValueType result = inputs[0];
  if (op.reduction == Reduction::Sum || op.reduction == Reduction::Prod) require_number(result);
  if (!std::ranges::is_sorted(op.axes, std::less_equal<>())) refuse("axes do not ascend");
  for (const int axis : op.axes) {
    require_axis(axis, result.shape);
    result.shape[static_cast<std::size_t>(axis)] = 1;
  }
  return {result};
}

Types infer_types(const ArgReduce& op, Inputs inputs) {
  require_inputs(inputs, 1);
  require_number(inputs[0]);
  ValueType result{ir::Scalar::I64, inputs[0].shape};
  require_axis(op.axis, result.shape);
  if (extent(result.shape, op.axis) == 0) refuse("axis {} of {} is empty", op.axis, print(inputs[0]));
  result.shape[static_cast<std::size_t>(op.axis)] = 1;
  return {result};
}

Types infer_types(const MatMul&, Inputs inputs) {
  require_inputs(inputs, 2);
  require_same_type(inputs);
  require_number(inputs[0]);
  const Shape &a = inputs[0].shape, &b = inputs[1].shape;
  if (a.size() < 2 || b.size() < 2)
    refuse("takes ranks of 2 or more, not {} and {}", print(a), print(b));
  if (a.back() != b[b.size() - 2]) refuse("{} and {} do not fit", print(a), print(b));
  Shape shape = broadcast(Shape(a.begin(), a.end() - 2), Shape(b.begin(), b.end() - 2));
  shape.insert(shape.end(), {a[a.size() - 2], b.back()});
  return {{inputs[0].type, shape}};
}

Types infer_types(const Einsum& op, Inputs inputs) {
  if (inputs.empty()) refuse("takes at least one input");
  require_inputs(inputs, op.inputs.size());
  require_same_type(inputs);
  require_number(inputs[0]);
  std::map<int, std::int64_t> extents;
  std::int64_t products = 1;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    require_count(op.inputs[i].size(), inputs[i].shape.size(), "a term");
    for (std::size_t d = 0; d < op.inputs[i].size(); ++d) {
      const std::int64_t here = inputs[i].shape[d];
      const auto [found, is_new] = extents.emplace(op.inputs[i][d], here);
      if (found->second != here)
        refuse("label {} stands for extents {} and {}", found->first, found->second, here);
      if (!is_new) continue;
      if (products > kMaxElements / std::max<std::int64_t>(here, 1)) refuse("more than 2^40 products");
      products *= here;
    }
  }
  ValueType result{inputs[0].type, {}};
  for (const int label : op.output) {
    if (std::ranges::count(op.output, label) != 1) refuse("label {} stands twice in the output", label);
    if (!extents.contains(label)) refuse("label {} of the output is in no input", label);
    result.shape.push_back(extents[label]);
  }
  return {result};
}

Types infer_types(const CumSum& op, Inputs inputs) {
  require_inputs(inputs, 1);
  require_number(inputs[0]);
  require_axis(op.axis, inputs[0].shape);
  return {inputs[0]};
}

Types infer_types(const TopK& op, Inputs inputs) {
  require_inputs(inputs, 1);
  require_number(inputs[0]);
  Shape shape = inputs[0].shape;
  require_axis(op.axis, shape);
  if (op.k < 0 || op.k > extent(shape, op.axis))
    refuse("axis {} of {} has no {} largest", op.axis, print(inputs[0]), op.k);
  shape[static_cast<std::size_t>(op.axis)] = op.k;
  return {{inputs[0].type, shape}, {ir::Scalar::I64, shape}};
}

}  // namespace hone::graph
