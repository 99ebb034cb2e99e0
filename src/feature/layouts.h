// How the results of a program's stages lie in memory.
#pragma once
#include <vector>

#include "feature/code.h"
#include "schedule/state.h"

namespace hone::feature {

// One a stage: the layout of constants and panels follows from the schedule.
std::vector<StageLayout> layouts_of(const schedule::State& state);

}  // namespace hone::feature
