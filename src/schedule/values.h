// What the axes of a stage are worth in terms of the loops in and around it.
#pragma once
#include "schedule/access.h"

namespace hone::schedule {

// The variables of a bounded state, for arithmetic that uses every extent there is.
Vars exact_vars(const State& state);

// The value of every loop of the stage (its axes come first) as a sum over the leaf loops.
std::vector<Sum> loop_values(const State& state, int stage, Vars& vars);
AxisValues axis_values(const task::Op& op, const std::vector<Sum>& loop_values);

// Whether the split's loops run past the end of the loop that was split.
bool overshoots(const Bounds& bounds, int stage, const Relation& split);

}  // namespace hone::schedule
