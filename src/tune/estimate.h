// How long a task is expected to take as hone emits it untuned, before anything is built.
#pragma once
#include <functional>

#include "target/target.h"
#include "task/task.h"

namespace hone::tune {

// Seconds, by the cycles that the features count. The target's cores are the threads of the kernel.
// Infinite when its schedule does not fit the machine.
double estimated_s(const task::Task& task, const target::Target& target);

using Estimate = std::function<double(const task::Task& task)>;
Estimate estimate_for(const target::Target& target);

}  // namespace hone::tune
