// Where the buffers that a program allocates live when its code runs.
#pragma once
#include <cstdint>
#include <unordered_map>

#include "ir/program.h"

namespace hone::codegen {

// Registers: one value an element. Stack: of the function that runs the Alloc. Shared: hone_call's
// scratch. Thread: the scratch of the thread that runs the parallel body.
enum class Storage : std::uint8_t { Registers, Stack, Shared, Thread };

struct Placement {
  Storage storage = Storage::Registers;
  std::int64_t offset_bytes = 0;  // in the shared or the thread's scratch; a multiple of 64
  std::int64_t size_bytes = 0;
};

struct MemoryPlan {
  std::unordered_map<const ir::BufferNode*, Placement> placements;
  std::int64_t scratch_bytes = 0;
  std::int64_t thread_scratch_bytes = 0;

  // False when the two can never touch the same byte. Buffers that are not alive together may share
  // scratch, so different buffers are not always different memory.
  bool may_overlap(const ir::BufferNode& a, const ir::BufferNode& b) const;
};

// Small buffers inside a loop live on the stack, where they stay in the first-level cache; the others
// in scratch, side by side only as long as they are alive together.
MemoryPlan plan_memory(const ir::Program& program);

}  // namespace hone::codegen
