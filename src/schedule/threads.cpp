#include "schedule/threads.h"

#include <algorithm>

namespace hone::schedule {

bool is_thread(ir::LoopKind kind) {
  return kind >= ir::LoopKind::Vthread && kind <= ir::LoopKind::ThreadZ;
}

int thread_rank(ir::LoopKind kind) {
  const bool is_block =
      kind == ir::LoopKind::BlockX || kind == ir::LoopKind::BlockY || kind == ir::LoopKind::BlockZ;
  return is_block ? 0 : 1;
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
  int rank = -1;
  for (const LoopPlace& place : path) {
    if (is_thread(place.kind)) rank = std::max(rank, thread_rank(place.kind));
  }
  if (rank < 0) return ir::Scope::Global;
  return rank == 0 ? ir::Scope::Shared : ir::Scope::Local;
}

int storage_rank(const State& state, int stage, const std::vector<LoopPlace>& path) {
  return static_cast<int>(storage_scope(state, stage, path));
}

std::vector<bool> thread_made(const Stage& stage) {
  std::vector<bool> made(stage.loops.size(), false);
  const auto flag = [&](int loop) { return made[static_cast<std::size_t>(loop)]; };
  for (const Iterator& iter : stage.iters) {
    if (is_thread(iter.annotation)) made[static_cast<std::size_t>(iter.loop)] = true;
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
