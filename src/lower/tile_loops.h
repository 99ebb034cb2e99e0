// Which loops make up register tiles: those that later passes unroll or turn into vectors.
#pragma once
#include <vector>

#include "ir/program.h"

namespace hone::lower {

// One entry a statement, true for the loops of register tiles: the loops below the innermost reduction
// loop of an update, and all loops that are marked for unrolling or vectorising.
std::vector<bool> tile_loops(const ir::Program& program);

// True for those and for reduction loops around a register tile that are short enough to be unrolled
// under the auto-unroll limit in force: all that becomes straight lines.
std::vector<bool> straight_loops(const ir::Program& program);

// Stores in the body of the loop at `at` once straight loops are unrolled.
std::int64_t straight_size(const ir::Program& program, std::int32_t at,
                           const std::vector<bool>& is_straight);

}  // namespace hone::lower
