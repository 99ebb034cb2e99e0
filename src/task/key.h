// Names of a task: TVM's workload key for records, and hone's canonical key for its own store.
#pragma once
#include <string>

#include "task/task.h"

namespace hone::task {

std::string tvm_key(const Task& task);  // ["<md5>", [shape], ...]
// Equal for the same computation under other names or another legal stage order.
std::string canonical_key(const Task& task);

}  // namespace hone::task
