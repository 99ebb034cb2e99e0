// Steps that several rules take on the loops of one stage.
#pragma once
#include <cstdint>
#include <vector>

#include "schedule/state.h"

namespace hone::space::rules {

// Splits the iterator into so many parts, their lengths open. Returns the number of the step.
int split_open(schedule::State& state, int stage, int iter, int n_parts);
// Splits it in two with the inner part of this length. Returns the number of the step.
int split(schedule::State& state, int stage, int iter, std::int64_t inner);
// Makes all reduce iterators of an untouched stage one and returns its id.
int fuse_reductions(schedule::State& state, int stage);
// Puts the iterators into the order of the groups, one group after the other.
void reorder(schedule::State& state, int stage, const std::vector<std::vector<int>>& groups);

// Numbers of elements that an op computes, and that it combines for each of them.
std::int64_t space_size(const task::Op& op);
std::int64_t reduction_size(const task::Op& op);
// Whether the stage came from a cache write; it is asked of the stage that is being decided.
bool is_write_cache(const schedule::State& state, int stage);

}  // namespace hone::space::rules
