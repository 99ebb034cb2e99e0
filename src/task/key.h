// Names of a task: TVM's workload key for records, hone's canonical key, and what is alike in tasks of
// other sizes.
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

// Tasks of one structure compute the same, stage by stage, and differ in numbers only: in sizes and in
// the constants of bodies, which mostly follow from sizes. What is fast for one is worth a try for the
// others.
struct Likeness {
  std::string structure;            // 32 hexadecimal digits
  std::vector<std::int64_t> sizes;  // shapes and reductions of all ops: as many for all of a structure

  friend bool operator==(const Likeness&, const Likeness&) = default;
};
Likeness likeness(const Task& task);
// How far apart the sizes of two tasks of one structure are: each doubling of one of them counts 1.
double distance(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b);

}  // namespace hone::task
