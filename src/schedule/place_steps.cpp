// Steps that say where a stage is computed: inside another's loop, inlined, or by itself.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "schedule/apply.h"

namespace hone::schedule {
namespace {

// How much of a moved stage is computed is not known before bounds are inferred.
void forget_extents(Stage& stage) {
  for (Iterator& iter : stage.iters) iter.extent.reset();
}

// Whether `stage` is computed, directly or through others, inside `around`.
bool is_inside(const State& state, int stage, int around) {
  for (int at = stage; at >= 0; at = state.stages[static_cast<std::size_t>(at)].attach_stage) {
    if (at == around) return true;
  }
  return false;
}

void detach(Stage& stage) { stage.attach_stage = stage.attach_iter = -1; }

}  // namespace

void apply_step(State& state, const ComputeAt& step) {
  Stage& stage = compute_stage(state, step.stage);
  iterator(compute_stage(state, step.target_stage), step.target_iter);
  if (is_inside(state, step.target_stage, step.stage)) {
    throw UserError(fmt::format("{} cannot be computed inside itself", stage.name));
  }
  int order = 0;
  for (const Stage& other : state.stages) order = std::max(order, other.attach_order + 1);
  forget_extents(stage);
  stage.location = Location::Iter;
  stage.attach_stage = step.target_stage;
  stage.attach_iter = step.target_iter;
  stage.attach_order = order;
}

void apply_step(State& state, const ComputeInline& step) {
  Stage& stage = compute_stage(state, step.stage);
  if (has_attached(state, step.stage)) {
    throw UserError(fmt::format("{} cannot be inlined: a stage is computed inside it", stage.name));
  }
  if (state.task->ops[static_cast<std::size_t>(step.stage)].reducer != task::Reducer::None) {
    throw UserError(fmt::format("{} cannot be inlined: it is a reduction", stage.name));
  }
  stage.location = Location::Inlined;
  detach(stage);
}

void apply_step(State& state, const ComputeRoot& step) {
  Stage& stage = compute_stage(state, step.stage);
  forget_extents(stage);
  stage.location = Location::Root;
  detach(stage);
}

}  // namespace hone::schedule
