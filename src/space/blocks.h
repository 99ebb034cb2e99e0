// Blocks: ops that are computed inside the parallel loop of the op that gives the result, so that what
// an iteration makes is read there and stays in the caches of its core. The scores of attention are,
// and the products of Strassen's algorithm.
#pragma once
#include <vector>

#include "space/tiling.h"
#include "task/analysis.h"

namespace hone::space {

// Finds StageRole::around and shared.
void place_in_blocks(const task::Task& task, const task::Analysis& analysis,
                     std::vector<StageRole>& roles);

// Makes blocks of an op with shared axes whole along all other axes: what is computed inside would be
// computed again for each part.
void keep_blocks_whole(const task::Op& op, const StageRole& role, Tiling& tiling);

}  // namespace hone::space
