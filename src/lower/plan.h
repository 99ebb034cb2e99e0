// In which order the loops of one stage are opened, and what is computed inside them.
#pragma once
#include <vector>

#include "schedule/state.h"

namespace hone::lower {

// From `n_common` on the loops belong to the reduction: its result is set to the identity before them.
struct Plan {
  std::vector<int> iters;
  std::size_t n_common = 0;
  bool across_threads = false;  // a reduction loop runs over threads
};
// Throws UserError when the loops are annotated in a way that no program has.
Plan plan_of(const schedule::State& state, int stage);

bool is_reduction_thread(const schedule::State& state, int stage, const schedule::Iterator& iter);

std::vector<int> root_stages(const schedule::State& state);  // those that are computed by themselves
std::vector<int> attached_stages(const schedule::State& state, int stage, int iter);

}  // namespace hone::lower
