// Where the tasks of a plan stand in its networks, in the scheduler's words.
#pragma once
#include <vector>

#include "tune/network_plan.h"
#include "tune/objective.h"

namespace hone::tune {

// One list a task of the plan. Equal places are one group. `conversions_s` is what the plan's
// conversions take: a place in another layout is charged half of those at its edges, because it is
// worth most where its neighbours take that layout, too.
std::vector<std::vector<TaskUse>> task_uses(const Plan& plan, const std::vector<double>& conversions_s);

}  // namespace hone::tune
