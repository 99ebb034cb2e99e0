// Where in the arena each temporary lies.
#pragma once
#include <cstdint>
#include <vector>

#include "artefact/program.h"

namespace hone::artefact {

struct MemoryPlan {
  std::int64_t arena_bytes = 0;
  std::int64_t live_bytes = 0;        // the most that is alive at one step: no arena can be smaller
  std::vector<std::int64_t> offsets;  // one a buffer, views included; -1 for what is not in the arena
};

// Buffers that are alive at the same step never overlap, but for an output that takes the place of an
// input of its step (InPlace). Each lies at a multiple of 64 bytes, views where they begin.
MemoryPlan plan_memory(const Program& program);

}  // namespace hone::artefact
