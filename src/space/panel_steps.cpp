#include "space/panel_steps.h"

#include <algorithm>

#include "space/operand.h"

namespace hone::space {
namespace {

class PanelWriter {
 public:
  PanelWriter(const task::Task& task, const std::vector<StageRole>& roles, std::vector<int> stages,
              schedule::Steps& steps)
      : task_(task), roles_(roles), stages_(std::move(stages)), steps_(steps) {}

  void fill(int reader, int operand, const Tiling& t, PanelPlace place) {
    const bool is_inlined = roles_[static_cast<std::size_t>(operand)].role == Role::Inline;
    const int panel = is_inlined ? stage(operand) : copy(operand, reader);
    const int last = rank(op(operand)) - 1;
    if (t.lanes > 1 && is_inlined)
      vectorise(panel, op(operand), neighbours(op(operand)), last, t.lanes);
    if (t.lanes > 1 && !is_inlined)
      vectorise(panel, op(operand), last, innermost(op(reader), op(operand), t), t.lanes);
    const PanelSite site = site_of(task_, roles_, reader, t, place);
    steps_.push_back(schedule::ComputeAt{panel, stage(site.op), site.iter});
  }

 private:
  const task::Op& op(int id) const { return task_.ops[static_cast<std::size_t>(id)]; }
  static int rank(const task::Op& op) { return static_cast<int>(op.output()->shape.size()); }
  int stage(int id) const { return stages_[static_cast<std::size_t>(id)]; }

  int copy(int operand, int reader) {
    steps_.push_back(schedule::CacheRead{stage(operand), "global", {stage(reader)}});
    const int added = stage(operand) + 1;
    for (int& other : stages_) other += other >= added ? 1 : 0;
    return added;
  }

  // In vectors along `from`, the axis whose neighbours lie side by side where they are read: storing
  // lanes one by one takes less time than gathering them. Where neighbours along another axis, `to`,
  // lie side by side in the panel, that one is walked inside, so that its lines are filled while they
  // are near.
  void vectorise(int panel, const task::Op& operand, int from, int to, int lanes) {
    const int n_axes = rank(operand);
    const std::int64_t extent = operand.output()->shape[static_cast<std::size_t>(from)];
    steps_.push_back(schedule::Split{panel, from, extent, {lanes}, true});
    const auto loop = [&](int axis) { return axis + (axis > from ? 1 : 0); };
    std::vector<int> order;
    for (int a = 0; a < n_axes; ++a) {
      if (a == from || a != to) order.push_back(loop(a));
    }
    if (to != from) order.push_back(loop(to));
    order.push_back(from + 1);
    if (!std::ranges::is_sorted(order)) steps_.push_back(schedule::Reorder{panel, order});
    steps_.push_back(schedule::Annotate{panel, n_axes, ir::LoopKind::Vectorized});
  }

  // The axis of a copy whose neighbours the reader's register tile reads one after the other.
  static int innermost(const task::Op& reader, const task::Op& operand, const Tiling& t) {
    const int last = rank(operand) - 1;
    for (const Operand& read : operands_of(reader)) {
      if (read.buffer != operand.output()) continue;
      for (std::size_t a = reader.axes.size(); a-- > 0;) {
        if (t.inner[a] == 1 && a + 1 < reader.axes.size()) continue;
        for (int d = last; d >= 0; --d) {
          if (coefficient(read.index[static_cast<std::size_t>(d)], reader.axes[a].var) != 0) return d;
        }
      }
    }
    return last;
  }

  // The axis along which the op reads neighbours; its last one when there is none.
  int neighbours(const task::Op& inlined) const {
    for (int a = static_cast<int>(inlined.axes.size()) - 1; a >= 0; --a) {
      for (const Operand& source : operands_of(inlined)) {
        const std::int64_t element = ir::size_bytes(source.buffer->type.scalar);
        const ir::Expr& var = inlined.axes[static_cast<std::size_t>(a)].var;
        if (step_along(task_, roles_, source, var) == element) return a;
      }
    }
    return static_cast<int>(inlined.axes.size()) - 1;
  }

  const task::Task& task_;
  const std::vector<StageRole>& roles_;
  std::vector<int> stages_;  // of every op, by its present number
  schedule::Steps& steps_;
};

}  // namespace

PanelSite site_of(const task::Task& task, const std::vector<StageRole>& roles, int id, const Tiling& t,
                  PanelPlace place) {
  const task::Op& op = task.ops[static_cast<std::size_t>(id)];
  const int epilogue = roles[static_cast<std::size_t>(id)].target;
  const int n_axes = static_cast<int>(op.axes.size());
  const int n_reduce = static_cast<int>(op.reduce_axes.size());
  const int n_fused = epilogue >= 0 ? n_axes : 1;  // loops of the first level that the op itself has
  if (place == in_reduction(op)) return {id, n_fused + n_axes + n_reduce - 1};
  const int around = epilogue >= 0 ? epilogue : id;
  if (place == kInChunk) return {around, 0};
  const std::vector<int> order = axis_order(op, t.vector_axis_outermost);
  const auto at = std::ranges::find(order, static_cast<int>(place - kInAxis));
  return {around, 1 + static_cast<int>(at - order.begin())};
}

void write_panel_steps(const task::Task& task, const std::vector<StageRole>& roles,
                       const Choice& choice, std::vector<int> stages, schedule::Steps& steps) {
  PanelWriter writer(task, roles, std::move(stages), steps);
  auto tiling = choice.tiled.begin();
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (roles[i].role != Role::Tiled) continue;
    const Tiling& t = *tiling++;
    for (std::size_t p = 0; p < t.panels.size(); ++p) {
      if (t.panels[p] == kNoPanel) continue;
      writer.fill(static_cast<int>(i), roles[i].panels[p], t, t.panels[p]);
    }
  }
}

}  // namespace hone::space
