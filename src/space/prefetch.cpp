#include "space/prefetch.h"

#include <algorithm>

#include "space/operand.h"

namespace hone::space {

int streamed_operand(const task::Task& task, const std::vector<StageRole>& roles, int id) {
  const task::Op& op = task.ops[static_cast<std::size_t>(id)];
  for (const Operand& operand : operands_of(op)) {
    const int producer = task.producer(operand.buffer);
    if (producer < 0 || roles[static_cast<std::size_t>(producer)].role == Role::Inline) continue;
    const bool moves = std::ranges::any_of(
        op.reduce_axes, [&](const task::Axis& axis) { return uses(operand, axis.var); });
    if (moves && uses(operand, op.axes.back().var)) return producer;
  }
  return -1;
}

// At the innermost loop of the reduction that turns more than once.
schedule::Prefetch prefetch_step(const task::Task& task, const std::vector<StageRole>& roles, int id,
                                 const Tiling& t) {
  const task::Op& op = task.ops[static_cast<std::size_t>(id)];
  const StageRole& role = roles[static_cast<std::size_t>(id)];
  const int n_axes = static_cast<int>(op.axes.size());
  const int n_reduce = static_cast<int>(op.reduce_axes.size());
  const int fused = role.target >= 0 ? 0 : n_axes - 1;  // first loops that have become one
  const auto is_loop = [&](int r, bool inner) {
    const std::int64_t size = t.reduce[static_cast<std::size_t>(r)];
    return inner ? size > 1 : size < op.reduce_axes[static_cast<std::size_t>(r)].extent;
  };
  const int first_outer = 2 * n_axes - fused, first_inner = 3 * n_axes + n_reduce - fused;
  int iter = first_outer;
  for (int r = 0; r < n_reduce; ++r) {
    if (is_loop(r, false)) iter = first_outer + r;
  }
  for (int r = 0; r < n_reduce; ++r) {
    if (is_loop(r, true)) iter = first_inner + r;
  }
  return {id, iter, role.streamed, static_cast<int>(t.prefetch)};
}

}  // namespace hone::space
