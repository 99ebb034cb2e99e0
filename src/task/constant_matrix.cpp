#include <optional>

#include "task/shape.h"

namespace hone::task {
namespace {

// m in floormod(axis, m) == c, or empty when the condition is another.
std::optional<std::int64_t> modulus_of(const ir::Expr& condition, const ir::Expr& axis) {
  const auto* equal = condition.as<ir::Binary>();
  if (!equal || equal->op != ir::BinaryOp::Eq || !ir::as_int(equal->b)) return std::nullopt;
  const auto* rest = equal->a.as<ir::Binary>();
  const bool is_modulus = rest && rest->op == ir::BinaryOp::FloorMod && rest->a.same(axis);
  const auto modulus = is_modulus ? ir::as_int(rest->b) : std::nullopt;
  return modulus && *modulus > 0 ? modulus : std::nullopt;
}

}  // namespace

std::optional<MatrixSize> constant_matrix_size(const Op& op) {
  if (op.axes.size() != 2 || op.body.size() != 1 || op.reducer != Reducer::None) return std::nullopt;
  std::optional<MatrixSize> size;
  ir::Expr rest = op.body.front();
  for (const ir::Select* entry = rest.as<ir::Select>(); entry; entry = rest.as<ir::Select>()) {
    const auto* both = entry->condition.as<ir::Binary>();
    if (!both || both->op != ir::BinaryOp::And || !entry->then_value.as<ir::FloatImm>())
      return std::nullopt;
    const auto rows = modulus_of(both->a, op.axes[0].var),
               columns = modulus_of(both->b, op.axes[1].var);
    if (!rows || !columns) return std::nullopt;
    if (size && (size->rows != *rows || size->columns != *columns)) return std::nullopt;
    size = MatrixSize{*rows, *columns};
    rest = entry->else_value;
  }
  return rest.as<ir::FloatImm>() ? size : std::nullopt;
}

}  // namespace hone::task
