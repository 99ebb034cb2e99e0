#include "schedule/threads.h"

#include <algorithm>

namespace hone::schedule {

bool is_shared_among(ir::Scope scope, ir::LoopKind thread) {
  switch (scope) {
    case ir::Scope::Global:
      return true;
    case ir::Scope::Shared:
      return !ir::is_block_loop(thread);
    case ir::Scope::Warp:
      return thread == ir::LoopKind::ThreadX;  // the lanes of a warp
    default:
      return false;
  }
}

std::vector<LoopPlace> attach_path(const State& state, int stage) {
  std::vector<LoopPlace> path;
  const Stage* inner = &state.stages[static_cast<std::size_t>(stage)];
  while (inner->location == Location::Iter && inner->attach_stage >= 0) {
    const Stage& outer = state.stages[static_cast<std::size_t>(inner->attach_stage)];
    for (int i = inner->attach_iter; i >= 0; --i) {
      const Iterator& iter = outer.iters[static_cast<std::size_t>(i)];
      path.push_back({inner->attach_stage, iter.loop, iter.annotation});
    }
    inner = &outer;
  }
  return path;
}

ir::Scope storage_scope(const State& state, int stage, const std::vector<LoopPlace>& path) {
  const auto& asked = state.stages[static_cast<std::size_t>(stage)].scope;
  if (asked) return *asked;
  bool in_block = false, in_thread = false;
  for (const LoopPlace& place : path) {
    in_block = in_block || ir::is_block_loop(place.kind);
    in_thread = in_thread || (ir::is_thread_loop(place.kind) && !ir::is_block_loop(place.kind));
  }
  if (in_thread) return ir::Scope::Local;
  return in_block ? ir::Scope::Shared : ir::Scope::Global;
}

std::vector<bool> thread_made(const Stage& stage) {
  std::vector<bool> made(stage.loops.size(), false);
  const auto flag = [&](int loop) { return made[static_cast<std::size_t>(loop)]; };
  for (const Iterator& iter : stage.iters) {
    if (ir::is_thread_loop(iter.annotation)) made[static_cast<std::size_t>(iter.loop)] = true;
  }
  for (auto it = stage.relations.rbegin(); it != stage.relations.rend(); ++it) {
    if (it->kind == Relation::Kind::Split) {
      if (flag(it->outer) || flag(it->inner)) made[static_cast<std::size_t>(it->whole)] = true;
    } else if (flag(it->whole)) {
      made[static_cast<std::size_t>(it->outer)] = made[static_cast<std::size_t>(it->inner)] = true;
    }
  }
  return made;
}

}  // namespace hone::schedule
