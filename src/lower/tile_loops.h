// Which loops make up register tiles: those that later passes unroll or turn into vectors.
#pragma once
#include <vector>

#include "ir/program.h"

namespace hone::lower {

// One entry a statement, true for the loops of register tiles: the loops below the innermost reduction
// loop of an update, and all loops that are marked for unrolling or vectorising.
std::vector<bool> tile_loops(const ir::Program& program);

// One entry a statement, true for reduction loops around a register tile that are short enough to be
// unrolled under the auto-unroll limit in force.
std::vector<bool> unrolled_reductions(const ir::Program& program, const std::vector<bool>& is_tile);

}  // namespace hone::lower
