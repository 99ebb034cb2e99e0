// Steps for ops that work on small patches of constant size, with what is computed inside a patch.
#pragma once
#include <vector>

#include "space/tiling.h"

namespace hone::space {

// Appends the steps of op `id`, which has role Patches, and of the ops with role InPatch inside it.
void write_patch_steps(const task::Task& task, const std::vector<StageRole>& roles, int id,
                       const PatchTiling& tiling, schedule::Steps& steps);

}  // namespace hone::space
