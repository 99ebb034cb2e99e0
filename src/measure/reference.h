// A kernel that others are compared with.
#pragma once
#include <memory>

#include "codegen/kernel.h"
#include "target/target.h"
#include "task/task.h"

namespace hone::measure {

// The task without any schedule, compiled: slow, and of so little ingenuity that a few samples vouch
// for every element of its answer. To be put into TaskData::reference.
codegen::Kernel reference_kernel(const std::shared_ptr<const task::Task>& task,
                                 const target::Target& target);

}  // namespace hone::measure
