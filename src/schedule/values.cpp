#include "schedule/values.h"

#include "base/error.h"

namespace hone::schedule {

Vars exact_vars(const State& state) {
  check(!state.bounds.is_empty(), "the state has its bounds");
  Vars vars = state.bounds.vars;
  for (std::size_t s = 0; s < state.stages.size(); ++s) {
    for (std::size_t loop = 0; loop < state.stages[s].loops.size(); ++loop) {
      vars.simplify_by_extent(state.bounds.var(static_cast<int>(s), static_cast<int>(loop)), true);
    }
  }
  return vars;
}

std::vector<Sum> loop_values(const State& state, int stage_id, Vars& vars) {
  const Bounds& bounds = state.bounds;
  const Stage& stage = state.stages[static_cast<std::size_t>(stage_id)];
  const auto& region = bounds.stages[static_cast<std::size_t>(stage_id)].region;
  std::vector<Sum> values(stage.loops.size());
  const auto value = [&](int loop) -> Sum& { return values[static_cast<std::size_t>(loop)]; };
  for (std::size_t axis = 0; axis < region.size(); ++axis) add(vars, values[axis], region[axis].min);
  for (const Iterator& iter : stage.iters) {
    add(vars, value(iter.loop), variable(vars, bounds.var(stage_id, iter.loop)));
  }
  for (auto it = stage.relations.rbegin(); it != stage.relations.rend(); ++it) {
    const std::int64_t inner_extent = bounds.extent(stage_id, it->inner);
    if (it->kind == Relation::Kind::Split) {
      add(vars, value(it->whole), value(it->outer), inner_extent);
      add(vars, value(it->whole), value(it->inner));
    } else {
      add(vars, value(it->outer), floor_div(vars, value(it->whole), inner_extent));
      add(vars, value(it->inner), floor_mod(vars, value(it->whole), inner_extent));
    }
  }
  return values;
}

AxisValues axis_values(const task::Op& op, const std::vector<Sum>& loop_values) {
  AxisValues values;
  values.reserve(op.axes.size() + op.reduce_axes.size());
  std::size_t loop = 0;
  for (const auto* axes : {&op.axes, &op.reduce_axes}) {
    for (const task::Axis& axis : *axes) values.push_back({axis.var.get(), loop_values[loop++]});
  }
  return values;
}

bool overshoots(const Bounds& bounds, int stage, const Relation& split) {
  const std::int64_t covered = bounds.extent(stage, split.outer) * bounds.extent(stage, split.inner);
  return split.kind == Relation::Kind::Split && covered != bounds.extent(stage, split.whole);
}

}  // namespace hone::schedule
