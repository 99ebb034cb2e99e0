// Whether a GPU can run a candidate at all, known before anything is compiled.
#pragma once
#include <optional>
#include <string_view>

#include "feature/loop_tree.h"
#include "space/hardware.h"

namespace hone::feature {

// What the candidate has too much of, such as "shared memory"; empty when it fits, and on a CPU always.
std::optional<std::string_view> exceeded(const LoopTree& tree, const space::Hardware& hardware);

}  // namespace hone::feature
