// Prefetching: a tiled op asks for the operand that it streams through some iterations of its reduction
// early, where the hardware's own guesses come too late.
#pragma once
#include <array>
#include <cstdint>

#include "space/tiling.h"

namespace hone::space {

// Iterations ahead, 0 being none.
inline constexpr std::array<std::int64_t, 6> kPrefetchDistances = {0, 4, 8, 16, 32, 64};

// The op whose result op `id`, which is tiled, reads in vectors that move on with its reduction; -1
// when it has none in memory.
int streamed_operand(const task::Task& task, const std::vector<StageRole>& roles, int id);

// The step for a tiling that prefetches.
schedule::Prefetch prefetch_step(const task::Task& task, const std::vector<StageRole>& roles, int id,
                                 const Tiling& tiling);

}  // namespace hone::space
