// The choice that a step list of the generic structure was written from.
#pragma once
#include "schedule/step.h"
#include "space/tiling.h"

namespace hone::space {

// Fills in what the steps say. Steps of another structure leave `choice` with numbers that are written
// as other steps.
void read_choice(const task::Task& task, const std::vector<StageRole>& roles,
                 const schedule::Steps& steps, Choice& choice);

}  // namespace hone::space
