// From what the user named to a task and its schedule.
#pragma once
#include <memory>
#include <string>

#include "cli/options.h"
#include "schedule/step.h"
#include "target/target.h"
#include "task/task.h"

namespace hone::cli {

// Throws UserError when there is no such operator or file.
std::shared_ptr<const task::Task> load_task(const Input& input);

struct Schedule {
  schedule::Steps steps;
  bool pack_constants = true;  // constant operands arrive in the layout the schedule reads them in
  std::string origin;          // for people: "log.json:17", "analytic"
};
// The record's, or without one what hone emits untuned for `threads` threads of `target`. Throws
// UserError when there is no such record or it does not fit the task.
Schedule load_schedule(const Input& input, const std::shared_ptr<const task::Task>& task,
                       const target::Target& target, int threads);

}  // namespace hone::cli
