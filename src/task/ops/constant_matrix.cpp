#include "task/ops/constant_matrix.h"

namespace hone::task::ops {

ir::Buffer constant_matrix(Draft& draft, const std::string& name, const Matrix& values, ir::Type type) {
  const Axis i = axis("i", static_cast<std::int64_t>(values.size()));
  const Axis j = axis("j", static_cast<std::int64_t>(values.front().size()));
  const ir::Expr body = look_up(values, i.var, j.var, arithmetic(type));
  Hints hints;
  hints.const_matrix = true;
  return draft.compute(name, {i, j}, body, hints);
}

Hints unrolled(const Axes& axes) {
  Hints hints;
  for (const Axis& a : axes) hints.simplify_const_tensor_indices.emplace_back(ir::name_of(a.var));
  return hints;
}

}  // namespace hone::task::ops
