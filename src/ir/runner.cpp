#include "ir/runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "ir/handlers.h"

namespace hone::ir::bytecode {

struct Runner::Thread {
  std::vector<Number> slots;
  std::vector<Storage> storage;  // of private buffers
  std::vector<Memory> memories;
  Machine machine;
};

Runner::Runner(const Program& program, const Code& code, std::span<Tensor> params)
    : program_(program), code_(code), storage_(code.buffers.size()), memories_(code.buffers.size()) {
  for (std::size_t i = 0; i < code.buffers.size(); ++i) {
    if (i < params.size()) {
      memories_[i] = {params[i].data.data(), span_elements(*code.buffers[i]), nullptr, nullptr};
    } else {
      memories_[i] = allocate(storage_[i], *code.buffers[i]);
    }
  }
}

Memory Runner::allocate(Storage& storage, const BufferNode& buffer) {
  const std::int64_t elements = span_elements(buffer) * buffer.type.lanes;
  storage.data.resize(static_cast<std::size_t>(elements * size_bytes(buffer.type.scalar)));
  storage.written.assign(static_cast<std::size_t>(elements), 0);
  return {storage.data.data(), elements, storage.written.data(), nullptr};
}

void Runner::run() {
  std::vector<Number> slots = code_.slots;
  Machine machine;
  machine.slots = slots.data();
  machine.memories = memories_.data();
  machine.runner = this;
  machine.run(code_.instructions.data());
}

// What the threads of a launch see of memory that they share.
std::vector<Memory> Runner::shared_memories(const Launch& launch) {
  std::int64_t threads = 1;
  for (std::size_t d = kFirstThread; d < kFirstVthread; ++d) threads *= launch.extents[d];
  std::vector<Memory> memories = memories_;
  for (std::size_t i = 0; i < memories.size() && threads > 1; ++i) {
    storage_[i].accesses.resize(static_cast<std::size_t>(memories[i].elements));
    memories[i].accesses = storage_[i].accesses.data();
  }
  return memories;
}

std::vector<Runner::Thread> Runner::make_threads(const Launch& launch,
                                                 const std::vector<Memory>& memories) {
  std::vector<Thread> threads;
  Position position{};
  std::size_t d = kFirstThread;
  do {
    Thread& thread = threads.emplace_back();
    thread.memories = memories;
    thread.storage.resize(launch.private_buffers.size());
    for (std::size_t i = 0; i < launch.private_buffers.size(); ++i) {
      const std::int32_t which = launch.private_buffers[i];
      thread.memories[static_cast<std::size_t>(which)] = allocate(thread.storage[i], buffer(which));
    }
    thread.machine.runner = this;
    thread.machine.position = position;
    const auto in_block =
        (position[5] * launch.extents[4] + position[4]) * launch.extents[3] + position[3];
    thread.machine.thread = static_cast<std::uint32_t>(in_block);
    for (d = kFirstThread; d < kDimensions && ++position[d] == launch.extents[d]; ++d) position[d] = 0;
  } while (d < kDimensions);
  for (Thread& thread : threads) thread.machine.memories = thread.memories.data();
  return threads;
}

void Runner::launch(const Instruction& start, const Machine& host) {
  const Launch& launch = code_.launches[static_cast<std::size_t>(start.which)];
  const std::vector<Memory> memories = shared_memories(launch);
  std::vector<Thread> threads = make_threads(launch, memories);
  Position block{};
  for (block[2] = 0; block[2] < launch.extents[2]; ++block[2]) {
    for (block[1] = 0; block[1] < launch.extents[1]; ++block[1]) {
      for (block[0] = 0; block[0] < launch.extents[0]; ++block[0]) {
        for (const std::int32_t which : launch.shared_buffers) {
          std::ranges::fill(storage_[static_cast<std::size_t>(which)].written, std::uint8_t{0});
        }
        for (Thread& thread : threads) {
          thread.slots.assign(host.slots, host.slots + code_.slots.size());
          thread.machine.slots = thread.slots.data();
          std::copy_n(block.begin(), kFirstThread, thread.machine.position.begin());
        }
        run_block(threads, &start + 1);
      }
    }
  }
}

void Runner::run_block(std::vector<Thread>& threads, const Instruction* body) {
  for (const Instruction* from = body; from != nullptr;) {
    ++epoch_;
    for (Thread& thread : threads) {
      thread.machine.epoch = epoch_;
      thread.machine.run(from);
    }
    const Instruction* barrier = threads.front().machine.stopped_at;
    for (const Thread& thread : threads) {
      if (thread.machine.stopped_at == barrier) continue;
      const Thread& waiting = barrier ? threads.front() : thread;
      waiting.machine.fail(*waiting.machine.stopped_at,
                           "not all threads of the block reach this barrier");
    }
    from = barrier ? barrier + 1 : nullptr;
  }
}

std::string Runner::loops_around(const Instruction& at, const Machine& machine) const {
  std::string text;
  for (const auto& [statement, slot] : code_.loops) {
    const Stmt& loop = program_.stmts[static_cast<std::size_t>(statement)];
    if (at.statement < statement || at.statement >= loop.end) continue;
    text += fmt::format("{} {} = {}", text.empty() ? " when" : ",", name_of(loop.as<For>()->var),
                        machine.slots[slot].i);
  }
  return text;
}

void Machine::fail(const Instruction& at, const std::string& what) const {
  // An expression on its own: the values it was given are at fault.
  if (runner == nullptr) throw UserError(what);
  hone::fail(fmt::format("statement {}{}: {}", at.statement, runner->loops_around(at, *this), what));
}

}  // namespace hone::ir::bytecode
