// Loops over threads, the loops around a stage, and which memory a stage lives in.
#pragma once
#include <vector>

#include "schedule/state.h"

namespace hone::schedule {

// Whether one buffer in this memory serves all threads that the loop runs over.
bool is_shared_among(ir::Scope scope, ir::LoopKind thread);

struct LoopPlace {
  int stage, loop;
  ir::LoopKind kind;
  friend bool operator==(const LoopPlace&, const LoopPlace&) = default;
};
// The loops around a stage, innermost first, from the one where it is computed outwards.
std::vector<LoopPlace> attach_path(const State& state, int stage);

// The memory of a stage: as asked for, else shared inside blocks and local inside threads.
ir::Scope storage_scope(const State& state, int stage, const std::vector<LoopPlace>& path);

// For each loop of the stage, whether a loop over threads was made of it.
std::vector<bool> thread_made(const Stage& stage);

}  // namespace hone::schedule
