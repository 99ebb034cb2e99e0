// Loop programs as flat code for the interpreter.
#pragma once
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "ir/element.h"
#include "ir/program.h"

namespace hone::ir::bytecode {

struct Instruction;
struct Machine;
// Does the instruction and says which comes next; null stops the machine.
using Handler = const Instruction* (*)(const Instruction&, Machine&);

// dst, a, b, c are slots, each the first of `lanes` in a row; what else is used, the handler says.
struct Instruction {
  Handler run = nullptr;
  std::int32_t dst = 0, a = 0, b = 0, c = 0;
  std::int32_t lanes = 1;
  std::int32_t which = 0;      // buffer, dimension or launch
  std::int32_t statement = 0;  // for messages
  std::int64_t value = 0, limit = 0;
};

// The numbers of a thread: block x, y, z, thread x, y, z, and one for each level of nested Vthread
// loops.
inline constexpr std::size_t kFirstThread = 3, kFirstVthread = 6, kDimensions = 10;
using Position = std::array<std::int64_t, kDimensions>;

// The threads that the outermost thread loop starts.
struct Launch {
  Position extents{};
  std::vector<std::int32_t> private_buffers, shared_buffers;  // those allocated in there
};

struct Code {
  std::vector<Instruction> instructions;
  std::vector<Number> slots;    // as they are at first; constants lie among them
  std::vector<Buffer> buffers;  // parameters first, then allocations
  std::vector<Launch> launches;
  std::vector<std::pair<std::int32_t, std::int32_t>> loops;  // statement and slot of its variable
};

// The program must be valid. Index arithmetic is done once in the outermost loop that knows its
// operands.
Code compile(const Program& program);

}  // namespace hone::ir::bytecode
