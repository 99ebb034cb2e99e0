#include "space/panels.h"

#include <algorithm>

#include "schedule/layout.h"
#include "space/choose.h"
#include "space/operand.h"

namespace hone::space {
namespace {

constexpr std::int64_t kShuffled = 4;  // elements between lanes that whole vectors and shuffles bring

// The loads of `operand` by the op; panel_operands sees to it that there is one.
Operand read_of(const task::Op& op, const task::Op& operand) {
  for (Operand& read : operands_of(op)) {
    if (read.buffer == operand.output()) return std::move(read);
  }
  return {};
}

bool is_free(const task::Task& task, const task::Analysis& analysis,
             const std::vector<StageRole>& roles, int producer, int reader) {
  const auto at = static_cast<std::size_t>(producer);
  const task::Op& op = task.ops[at];
  switch (roles[at].role) {
    case Role::Inline:
      return !op.hints.const_matrix && analysis.read_by[at] == std::vector<int>{reader};
    case Role::Placeholder:
      return !op.hints.const_matrix && !schedule::is_layout_free(task, op.name());
    default:
      return op.outputs.size() == 1;
  }
}

// Register tiles of an axis inside the place.
std::vector<std::int64_t> tiles_inside(const task::Op& op, const Tiling& t, PanelPlace place) {
  std::vector<std::int64_t> counts = t.level2;
  bool is_inside = place == kInChunk;
  for (const int a : axis_order(op, t.vector_axis_outermost)) {
    const auto axis = static_cast<std::size_t>(a);
    if (is_inside) counts[axis] *= t.level1[axis];
    is_inside |= place == kInAxis + a;
  }
  return counts;
}

}  // namespace

std::vector<int> panel_operands(const task::Task& task, const task::Analysis& analysis,
                                const std::vector<StageRole>& roles, int id) {
  const task::Op& op = task.ops[static_cast<std::size_t>(id)];
  std::vector<int> found;
  for (const auto& [producer, reads] : analysis.reads[static_cast<std::size_t>(id)]) {
    if (reads.size() != 1 || !is_free(task, analysis, roles, producer, id)) continue;
    const bool is_reused = std::ranges::any_of(op.axes, [&](const task::Axis& axis) {
      return axis.extent > 1 && std::ranges::none_of(reads.front(), [&](const ir::Expr& index) {
               return ir::uses(index, axis.var);
             });
    });
    if (is_reused) found.push_back(producer);
  }
  return found;
}

bool is_packed(const StageRole& role, const Tiling& tiling, int operand) {
  for (std::size_t p = 0; p < tiling.panels.size(); ++p) {
    if (role.panels[p] == operand && tiling.panels[p] != kNoPanel) return true;
  }
  return false;
}

PanelPlace settled(const task::Op& op, const Tiling& t, PanelPlace place) {
  if (place <= kInChunk) return place;
  PanelPlace around = kInChunk;  // the last loop so far that turns more than once
  for (const int a : axis_order(op, t.vector_axis_outermost)) {
    if (t.level1[static_cast<std::size_t>(a)] > 1) around = kInAxis + a;
    if (place == kInAxis + a) return around;
  }
  for (std::size_t r = 0; r < t.reduce.size(); ++r) {
    if (t.reduce[r] < op.reduce_axes[r].extent) return in_reduction(op);
  }
  return around;
}

std::int64_t panel_bytes(const task::Op& op, const task::Op& operand, const Tiling& t,
                         PanelPlace place) {
  const Operand read = read_of(op, operand);
  const std::vector<std::int64_t> counts = tiles_inside(op, t, place);
  std::int64_t bytes = ir::size_bytes(operand.output()->type.scalar);
  for (std::size_t d = 0; d < read.index.size(); ++d) {
    std::int64_t width = 1;
    const auto widen = [&](const task::Axis& axis, std::int64_t extent) {
      width += coefficient(read.index[d], axis.var) * (std::min(extent, axis.extent) - 1);
    };
    for (std::size_t a = 0; a < op.axes.size(); ++a) {
      const bool is_vector = a + 1 == op.axes.size();
      widen(op.axes[a], counts[a] * t.inner[a] * (is_vector ? t.lanes : 1));
    }
    for (std::size_t r = 0; r < op.reduce_axes.size(); ++r) {
      widen(op.reduce_axes[r], place == in_reduction(op) ? t.reduce[r] : op.reduce_axes[r].extent);
    }
    bytes *= std::min(width, operand.output()->shape[d]);
  }
  return bytes;
}

std::int64_t panel_reuse(const task::Op& op, const task::Op& operand, const Tiling& t,
                         PanelPlace place) {
  const Operand read = read_of(op, operand);
  const std::vector<std::int64_t> counts = tiles_inside(op, t, place);
  std::int64_t times = 1;
  for (std::size_t a = 0; a < op.axes.size(); ++a) {
    if (!uses(read, op.axes[a].var)) times *= counts[a];
  }
  return times;
}

bool is_gathered(const task::Task& task, const std::vector<StageRole>& roles, const task::Op& op,
                 const task::Op& operand) {
  const std::int64_t element = ir::size_bytes(operand.output()->type.scalar);
  return step_along(task, roles, read_of(op, operand), op.axes.back().var) > kShuffled * element;
}

}  // namespace hone::space
