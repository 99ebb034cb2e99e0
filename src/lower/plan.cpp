#include "lower/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace hone::lower {
namespace {

using schedule::Iterator;
using schedule::IterKind;
using schedule::Location;
using schedule::Stage;

const Stage& stage_at(const schedule::State& state, int stage) {
  return state.stages[static_cast<std::size_t>(stage)];
}

bool reduces(const schedule::State& state, int stage) {
  return state.task->ops[static_cast<std::size_t>(stage)].reducer != task::Reducer::None;
}

void check_across_threads(const schedule::State& state, int s) {
  const Stage& stage = stage_at(state, s);
  const auto refuse = [&](std::string_view why) {
    throw UserError(fmt::format("{} cannot reduce across threads: {}", stage.name, why));
  };
  for (int i = 0; i < static_cast<int>(stage.iters.size()); ++i) {
    const Iterator& iter = stage.iters[static_cast<std::size_t>(i)];
    if (iter.kind == IterKind::Mixed) refuse("a reduction loop is fused with another");
    const bool waits = !ir::is_block_loop(iter.annotation) && iter.annotation != ir::LoopKind::Vthread;
    if (is_reduction_thread(state, s, iter) && !waits) {
      refuse("blocks and vthreads have no common memory");
    }
    if (!attached_stages(state, s, i).empty()) refuse("a stage is computed inside it");
  }
}

}  // namespace

bool is_reduction_thread(const schedule::State& state, int stage, const Iterator& iter) {
  return reduces(state, stage) && iter.kind != IterKind::Spatial && ir::is_thread_loop(iter.annotation);
}

Plan plan_of(const schedule::State& state, int s) {
  const Stage& stage = stage_at(state, s);
  Plan plan;
  plan.iters.reserve(stage.iters.size());
  for (int i = 0; i < static_cast<int>(stage.iters.size()); ++i) {
    const Iterator& iter = stage.iters[static_cast<std::size_t>(i)];
    if (iter.annotation == ir::LoopKind::Tensorized) {
      throw UserError(
          fmt::format("{} of {} is tensorized, but no intrinsic is known", iter.name, stage.name));
    }
    plan.across_threads = plan.across_threads || is_reduction_thread(state, s, iter);
    plan.iters.push_back(i);
  }
  const auto is_inner = [&](int i) {
    const Iterator& iter = stage.iters[static_cast<std::size_t>(i)];
    return reduces(state, s) && iter.kind != IterKind::Spatial && !is_reduction_thread(state, s, iter);
  };
  if (plan.across_threads) {
    check_across_threads(state, s);
    // Each thread combines a part of its own, so threads come first.
    std::ranges::sort(plan.iters, {}, [&](int i) { return std::pair(is_inner(i), i); });
  }
  const auto first = std::find_if(plan.iters.begin(), plan.iters.end(), is_inner);
  plan.n_common = static_cast<std::size_t>(first - plan.iters.begin());
  return plan;
}

std::vector<int> root_stages(const schedule::State& state) {
  std::vector<int> at_root;
  for (int s = 0; s < static_cast<int>(state.stages.size()); ++s) {
    const Stage& stage = stage_at(state, s);
    const bool is_placeholder = state.task->ops[static_cast<std::size_t>(s)].is_placeholder();
    if (!is_placeholder && stage.location == Location::Root) at_root.push_back(s);
    if (stage.location == Location::Iter && stage.attach_stage < 0) {
      throw UserError(fmt::format("{} is skipped by a pragma, so there is no program", stage.name));
    }
  }
  return at_root;
}

std::vector<int> attached_stages(const schedule::State& state, int stage, int iter) {
  std::vector<int> found;
  for (int other = 0; other < static_cast<int>(state.stages.size()); ++other) {
    const Stage& child = stage_at(state, other);
    if (child.location == Location::Iter && child.attach_stage == stage && child.attach_iter == iter) {
      found.push_back(other);
    }
  }
  return found;
}

}  // namespace hone::lower
