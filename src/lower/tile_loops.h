// Which loops make up register tiles: those that later passes unroll or turn into vectors.
#pragma once
#include <vector>

#include "ir/program.h"

namespace hone::lower {

// One entry a statement, true for the loops of register tiles: the loops below the innermost reduction
// loop of an update, and all loops that are marked for unrolling or vectorising.
std::vector<bool> tile_loops(const ir::Program& program);

}  // namespace hone::lower
