// Candidates to begin with: what earlier runs found for the same task and for those like it.
#pragma once
#include <memory>
#include <vector>

#include "record/store.h"
#include "schedule/step.h"
#include "target/target.h"
#include "task/task.h"
#include "tune/options.h"

namespace hone::tune {

// Different candidates of the task's space, at most `limit`: winners for this very task, fastest first,
// then those of tasks that differ in sizes, the nearest first, with their tiles made to fit.
std::vector<schedule::Steps> warm_starts(const std::shared_ptr<const task::Task>& task,
                                         const target::Target& target, SpaceKind kind,
                                         const record::Store& store, int limit);

}  // namespace hone::tune
