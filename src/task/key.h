// Names of a task: TVM's workload key for records, and hone's canonical key for its own store.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "task/task.h"

namespace hone::task {

// ["<md5>", [shape], ...]: the digest of TVM's text of the task without sizes, then the shapes of its
// placeholders in stage order and of its outputs.
std::string tvm_key(const Task& task);
// All sizes in such a key, shape after shape (older keys hold them in one flat list anyway). Empty when
// the key is of another kind: the name of a function and its arguments.
std::optional<std::vector<std::int64_t>> sizes_in_key(std::string_view key);

// 32 hexadecimal digits, equal for the same computation under other names or another legal stage order;
// hints, which do not change the computation, are no part of it.
std::string canonical_key(const Task& task);

}  // namespace hone::task
