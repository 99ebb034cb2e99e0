// Which layouts of a plan are worth a trial.
#pragma once
#include "tune/network_plan.h"

namespace hone::tune {

// The plan with a place's other layout only where the network takes it, all places and conversions as
// fast as the estimate says. Other forms stay: what they cost shows in the network only.
Plan worthwhile(Plan plan, const Estimate& estimate);

}  // namespace hone::tune
