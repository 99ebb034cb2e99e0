// How a program shares its result out among threads. What a core has made the next program best finds
// on the same core, which no time of a program alone shows.
#pragma once
#include <memory>

#include "schedule/step.h"
#include "task/task.h"

namespace hone::tune {

// The dimension of the result whose parts go to different threads: the slowest one of the last stage's
// parallel loop. -1: one thread makes all of it.
int shared_axis(const std::shared_ptr<const task::Task>& task, const schedule::Steps& steps);

}  // namespace hone::tune
