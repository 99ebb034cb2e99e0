#include "space/readers.h"
#include "space/rules/loops.h"
#include "space/rules/rules.h"

namespace hone::space::rules {
namespace {

Answer condition(const Site& site) {
  if (is_write_cache(site.state, site.stage)) return Answer::Skip;
  const std::int64_t space = space_size(site.op()), reduction = reduction_size(site.op());
  const bool fits = site.needs_tiling() ? space <= site.hardware.max_threads && space < reduction
                                        : reduction > 1 && reduction > site.hardware.warp;
  return fits ? Answer::Apply : Answer::Skip;
}

// Steps that split loops of the stage, each with the id the stage had then.
std::vector<int> splits_of(const schedule::State& state, int stage) {
  std::vector<int> found;
  for (auto at = static_cast<int>(state.steps.size()) - 1; at >= 0; --at) {
    const schedule::Step& step = state.steps[static_cast<std::size_t>(at)];
    const bool is_split = std::holds_alternative<schedule::Split>(step) ||
                          std::holds_alternative<schedule::FollowSplit>(step);
    const bool adds_stage = std::holds_alternative<schedule::CacheRead>(step) ||
                            std::holds_alternative<schedule::CacheWrite>(step) ||
                            std::holds_alternative<schedule::Rfactor>(step);
    if (is_split && stage_of(step) == stage) found.push_back(at);
    if (adds_stage && stage_of(step) < stage) --stage;
  }
  return found;
}

// A reader whose rows the threads of a warp can share with the reduction, and the split that does so.
struct Fusion {
  int target = -1;  // none
  int n_common = 0;
  std::optional<int> split;  // empty: the target is still to be split
};
Fusion fusion_of(const Site& site) {
  const int target = common_consumer(site.state, site.analysis, site.stage);
  if (target < 0 || site.needs_tiling(target)) return {};
  const int n_common =
      site.analysis
          .common_outer[static_cast<std::size_t>(site.stage)][static_cast<std::size_t>(target)];
  if (n_common == 0) return {};
  const std::vector<int> splits = splits_of(site.state, target);
  if (splits.empty()) {
    return site.op(target).reduce_axes.empty() ? Fusion{target, n_common, {}} : Fusion{};
  }
  const bool can_follow =
      splits.size() == 1 && std::holds_alternative<schedule::Split>(
                                site.state.steps[static_cast<std::size_t>(splits.front())]);
  return can_follow ? Fusion{target, n_common, splits.front()} : Fusion{};
}

void bind_threads(schedule::State& state, int stage, int iter) {
  apply(state, schedule::Annotate{stage, iter, ir::LoopKind::ThreadX});
}

// Splits the target's last loop by the warp and returns the number of that step.
int split_target(schedule::State& state, int target, int warp) {
  const auto& iters = state.stages[static_cast<std::size_t>(target)].iters;
  const auto last = static_cast<int>(iters.size()) - 1;
  const int step = split(state, target, last, warp);
  bind_threads(state, target, last + 1);
  return step;
}

std::vector<Draft> apply_rule(const Site& site) {
  Draft draft{site.state, site.stage - 1};
  schedule::State& state = draft.state;
  const Fusion fusion = fusion_of(site);
  const int reduction = fuse_reductions(state, site.stage);
  if (fusion.target < 0) {
    split(state, site.stage, reduction, site.hardware.warp);
    bind_threads(state, site.stage, reduction + 1);
    return {std::move(draft)};
  }
  const int source =
      fusion.split ? *fusion.split : split_target(state, fusion.target, site.hardware.warp);
  apply(state, schedule::FollowSplit{site.stage, reduction, source, 1});
  bind_threads(state, site.stage, reduction + 1);
  apply(state, schedule::ComputeAt{site.stage, fusion.target, fusion.n_common - 1});
  return {std::move(draft)};
}

}  // namespace

Rule cross_thread_reduction() { return {"cross_thread_reduction", condition, apply_rule}; }

}  // namespace hone::space::rules
