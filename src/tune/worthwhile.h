// Which layouts of a plan are worth a trial.
#pragma once
#include "tune/network_plan.h"

namespace hone::tune {

// The plan with another layout of a place only where the network takes it, all places and conversions
// as fast as the estimate says. Blocks that are expected to take as long as the plain layout do not
// count as worthwhile unless they are to be tried. Other forms stay: what they cost shows in the
// network only.
Plan worthwhile(Plan plan, const Estimate& estimate, bool tries_blocks);

}  // namespace hone::tune
