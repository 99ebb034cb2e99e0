// The buffers of one task, each between guard pages, kept while its candidates are run.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/memory.h"
#include "worker/protocol.h"

namespace hone::worker {

class TaskMemory {
 public:
  TaskMemory() = default;
  // Inputs and constants get their random values and can then only be read. UserError when there is not
  // enough memory.
  explicit TaskMemory(Prepare task);

  const Prepare& task() const { return task_; }

  // What a kernel with this code gets as buffers and scratch. Packed constants are laid out anew only
  // when the packing differs from that of the kernel before.
  std::vector<void*> arguments(const Code& code);
  void* scratch(const Code& code);

  // Fills outputs and scratch with bytes that no kernel writes by accident (a float of them is not a
  // number), so that what a kernel forgets to write shows.
  void poison();
  // Keeps the present outputs as what every later answer is compared with.
  void keep_as_reference();
  bool has_expectations() const { return !task_.samples.empty() || !expected_.empty(); }
  // The first wrong element or damaged neighbourhood as a sentence; empty when there is none.
  std::string wrong_answer() const;
  std::string damage() const;
  // Puts the constants of the last arguments() out of all caches.
  void flush_constants() const;

  struct Region {
    std::string name;
    const runtime::GuardedBuffer* buffer;
  };
  // All guarded memory; stale after arguments() or scratch().
  std::vector<Region> regions() const;

 private:
  struct Packed {
    Packing packing;
    runtime::GuardedBuffer buffer;
    bool in_use = false;
  };
  std::size_t size_bytes(const BufferSpec& spec) const;
  void pack(int parameter, const Packing& packing);

  Prepare task_;
  std::vector<runtime::GuardedBuffer> buffers_;
  std::vector<Packed> packed_;                    // one a parameter, most of them empty
  std::vector<std::vector<std::byte>> expected_;  // one a parameter, once there is a reference
  runtime::GuardedBuffer scratch_;
};

}  // namespace hone::worker
