// What `bench` asks of the measurer.
#pragma once
#include <memory>
#include <string>

#include "cli/input.h"
#include "measure/measurer.h"
#include "target/target.h"
#include "task/task.h"

namespace hone::cli {

// The task with all that its answers are checked against.
measure::TaskData checked_data(const std::shared_ptr<const task::Task>& task,
                               const target::Target& target);

measure::Build build_of(std::shared_ptr<const task::Task> task, Schedule schedule,
                        target::Target target);

// Long enough that the least of the samples stands still: for a figure that is shown, not for a search.
measure::Options careful(int threads);

}  // namespace hone::cli
