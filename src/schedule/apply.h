// The step families; `apply` in state.cpp chooses among them. Each checks first and changes then: a
// refused step throws UserError and leaves the state as it was.
#pragma once
#include "schedule/state.h"

namespace hone::schedule {

// Loops of one stage (loop_steps.cpp).
void apply_step(State& state, const Annotate& step);
void apply_step(State& state, const Fuse& step);
void apply_step(State& state, const Pragma& step);
void apply_step(State& state, const Reorder& step);
void apply_step(State& state, const StorageAlign& step);
void apply_step(State& state, const Prefetch& step);
// Splits (split_steps.cpp).
void apply_step(State& state, const Split& step);
void apply_step(State& state, const FollowSplit& step);
void apply_step(State& state, const FollowFusedSplit& step);
// Where a stage is computed (place_steps.cpp).
void apply_step(State& state, const ComputeAt& step);
void apply_step(State& state, const ComputeInline& step);
void apply_step(State& state, const ComputeRoot& step);
// New stages (cache_steps.cpp, rfactor_step.cpp).
void apply_step(State& state, const CacheRead& step);
void apply_step(State& state, const CacheWrite& step);
void apply_step(State& state, const Rfactor& step);

// What the families share.
inline constexpr int kMaxIterators = 256;                     // of one stage; more is a corrupt record
std::int64_t extent_product(std::int64_t a, std::int64_t b);  // refuses more than kMaxLoopExtent
Stage& compute_stage(State& state, int stage);                // refuses unknown ids and placeholders
Iterator& iterator(Stage& stage, int iter);                   // refuses unknown ids
Stage fresh_stage(const task::Op& op);                        // one iterator an axis
bool has_attached(const State& state, int stage, int iter);
bool has_attached(const State& state, int stage);
task::Task& own_task(State& state);  // the DAG for changing: copied when somebody else sees it
void insert_stage(State& state, int position, task::Op op);  // renumbers what names stages behind it

// Moves what is attached to iterator i of the stage to iterator `map(i)`.
template <class Map>
void move_attached(State& state, int stage, Map&& map) {
  for (Stage& other : state.stages) {
    if (other.location == Location::Iter && other.attach_stage == stage) {
      other.attach_iter = map(other.attach_iter);
    }
  }
}

}  // namespace hone::schedule
