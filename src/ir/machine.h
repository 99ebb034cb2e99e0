// What bytecode runs on: one thread's slots and its view of memory, with every access checked.
#pragma once
#include <string>

#include "ir/bytecode.h"

namespace hone::ir::bytecode {

// Who touched an element since the last barrier (the epoch), to find races.
struct Access {
  static constexpr std::uint32_t kSeveral = ~std::uint32_t{0};
  std::uint32_t write_epoch = 0, writer = 0, read_epoch = 0, reader = 0;
};

struct Memory {
  std::byte* data = nullptr;
  std::int64_t elements = 0;
  std::uint8_t* written = nullptr;  // one flag an element; null when the caller filled the memory
  Access* accesses = nullptr;       // null when no other thread can touch it
};

class Runner;

struct Machine {
  Number* slots = nullptr;
  Memory* memories = nullptr;
  Runner* runner = nullptr;  // null for an expression without a program
  Position position{};
  std::uint32_t thread = 0;                 // inside the block; vthreads share their thread's number
  std::uint32_t epoch = 0;                  // counts barriers and blocks
  const Instruction* stopped_at = nullptr;  // the barrier or finish it ran into

  void run(const Instruction* from) {
    while (from != nullptr) from = from->run(*from, *this);
  }
  // Throws InternalError with the statement and the values of the loops around it, or a UserError when
  // there is no program.
  [[noreturn]] void fail(const Instruction& at, const std::string& what) const;

  void check_read(const Instruction& at, const Memory& memory, std::int64_t element) const;
  void check_write(const Instruction& at, const Memory& memory, std::int64_t element) const;
};

inline void Machine::check_read(const Instruction& at, const Memory& memory,
                                std::int64_t element) const {
  if (static_cast<std::uint64_t>(element) >= static_cast<std::uint64_t>(memory.elements)) {
    fail(at, "a read lies outside of its buffer");
  }
  if (memory.written && memory.written[element] == 0)
    fail(at, "a read of memory that was never written");
  if (!memory.accesses) return;
  Access& access = memory.accesses[element];
  if (access.write_epoch == epoch && access.writer != thread) {
    fail(at, "a race: reads what another thread writes with no barrier between");
  }
  if (access.read_epoch != epoch) {
    access.read_epoch = epoch;
    access.reader = thread;
  } else if (access.reader != thread) {
    access.reader = Access::kSeveral;
  }
}

inline void Machine::check_write(const Instruction& at, const Memory& memory,
                                 std::int64_t element) const {
  if (static_cast<std::uint64_t>(element) >= static_cast<std::uint64_t>(memory.elements)) {
    fail(at, "a write lies outside of its buffer");
  }
  if (memory.written) memory.written[element] = 1;
  if (!memory.accesses) return;
  Access& access = memory.accesses[element];
  const bool was_written = access.write_epoch == epoch && access.writer != thread;
  const bool was_read = access.read_epoch == epoch && access.reader != thread;
  if (was_written || was_read) {
    fail(at, "a race: writes what another thread touches with no barrier between");
  }
  access.write_epoch = epoch;
  access.writer = thread;
}

}  // namespace hone::ir::bytecode
