#include <algorithm>

#include "space/readers.h"
#include "space/rules/rules.h"
#include "space/rules/tile.h"

namespace hone::space::rules {
namespace {

const schedule::Stage& stage_of(const schedule::State& state, int id) {
  return state.stages[static_cast<std::size_t>(id)];
}

// Only what reads the stage itself, and in the loops of a reduction, has a place for a copy.
bool can_have_copy(const Site& site, int consumer) {
  return reads_directly(site.analysis, consumer, site.stage) && !site.op(consumer).reduce_axes.empty();
}

bool has_thread_reduction(const schedule::Stage& stage) {
  return std::ranges::any_of(stage.iters, [](const schedule::Iterator& iter) {
    return iter.annotation == ir::LoopKind::ThreadX && iter.kind == schedule::IterKind::Reduction;
  });
}

// In the stage itself or in one that is computed inside it.
bool reduces_across_threads(const schedule::State& state, int id) {
  return has_thread_reduction(stage_of(state, id)) ||
         std::ranges::any_of(state.stages, [&](const schedule::Stage& stage) {
           return stage.attach_stage == id && has_thread_reduction(stage);
         });
}

// The last loop of the outermost reduce level: each of its iterations needs a new part of the operand.
int copy_place(const Site& site, int consumer, const schedule::Stage& stage) {
  const task::Op& op = site.op(consumer);
  const auto is_split = [&](const task::Axis& axis) { return !stays_whole(op, ir::name_of(axis.var)); };
  const auto n_split = static_cast<int>(std::ranges::count_if(op.reduce_axes, is_split));
  const auto first = std::ranges::find(stage.iters, schedule::IterKind::Reduction,
                                       [](const schedule::Iterator& iter) { return iter.kind; });
  return static_cast<int>(first - stage.iters.begin()) + std::max(n_split, 1) - 1;
}

Answer condition(const Site& site) {
  const std::set<int> readers = consumers(site.state, site.analysis, site.stage);
  if (readers.empty()) return Answer::Skip;
  const int first = *readers.begin();
  const bool fits = site.needs_tiling(first) && can_have_copy(site, first) &&
                    !reduces_across_threads(site.state, first);
  return fits ? Answer::Only : Answer::Skip;
}

// The stage is decided again, now that the copies read it.
std::vector<Draft> apply_rule(const Site& site) {
  Draft draft{site.state, site.stage};
  int n_copies = 0;
  for (const int consumer : consumers(site.state, site.analysis, site.stage)) {
    if (!can_have_copy(site, consumer)) continue;
    const int before = consumer + n_copies, after = before + 1;
    apply(draft.state, schedule::CacheRead{site.stage, "shared", {before}});
    const int place = copy_place(site, consumer, stage_of(draft.state, after));
    apply(draft.state, schedule::ComputeAt{site.stage + 1, after, place});
    ++n_copies;
  }
  return {std::move(draft)};
}

}  // namespace

Rule add_cache_read() { return {"add_cache_read", condition, apply_rule}; }

}  // namespace hone::space::rules
