// Runs bytecode: memory for allocations, and the threads of a launch side by side.
#pragma once
#include <span>

#include "ir/interpret.h"
#include "ir/machine.h"

namespace hone::ir::bytecode {

class Runner {
 public:
  Runner(const Program& program, const Code& code, std::span<Tensor> params);

  void run();
  // Runs the launch that the instruction starts, block after block; the threads of a block take turns
  // from barrier to barrier.
  void launch(const Instruction& start, const Machine& host);

  const BufferNode& buffer(std::int32_t which) const {
    return *code_.buffers[static_cast<std::size_t>(which)];
  }
  // " when i = 3, j = 0": the loops around the instruction's statement.
  std::string loops_around(const Instruction& at, const Machine& machine) const;

 private:
  struct Thread;
  // Memory of an allocation whose every element has a written-flag.
  struct Storage {
    std::vector<std::byte> data;
    std::vector<std::uint8_t> written;
    std::vector<Access> accesses;
  };

  static Memory allocate(Storage& storage, const BufferNode& buffer);
  std::vector<Memory> shared_memories(const Launch& launch);
  std::vector<Thread> make_threads(const Launch& launch, const std::vector<Memory>& memories);
  void run_block(std::vector<Thread>& threads, const Instruction* body);

  const Program& program_;
  const Code& code_;
  std::vector<Storage> storage_;  // one a buffer
  std::vector<Memory> memories_;
  std::uint32_t epoch_ = 0;
};

}  // namespace hone::ir::bytecode
