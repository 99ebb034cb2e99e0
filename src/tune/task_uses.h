// Where the tasks of a plan stand in its networks, in the scheduler's words.
#pragma once
#include <vector>

#include "tune/form_choice.h"
#include "tune/network_plan.h"
#include "tune/objective.h"

namespace hone::tune {

// One list a task of the plan, by the times that are expected. Equal places are one group. Another form
// than the plain one is charged what kOtherForm says of it, and another layout half of the conversions
// at its edges, because it is worth most where its neighbours take it, too.
std::vector<std::vector<TaskUse>> task_uses(const Plan& plan, const Times& expected);

}  // namespace hone::tune
