// How far apart the elements are that a loop walks over, as TVM estimates it.
#pragma once
#include <cstdint>

#include "feature/loop_tree.h"

namespace hone::feature {

// In elements of the whole tensor; the least of all index tuples, 0 when none mentions the variable.
std::int64_t stride(const schedule::Vars& vars, const Access& access,
                    const std::vector<std::int64_t>& shape, schedule::Var var);

}  // namespace hone::feature
