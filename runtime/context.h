// What one execution of a program needs for itself, and the execution.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/kernel_abi.h"
#include "runtime/memory.h"
#include "runtime/program.h"

namespace hone::runtime {

// What all executions of a model share.
struct Code {
  Program program;
  const std::byte* images = nullptr;   // of the program's variant, executable
  const std::byte* weights = nullptr;  // only read
};

// One execution at a time; as many contexts as there are executions at the same time.
class Context {
 public:
  // Null when there is not enough memory.
  static Context* make(const Code& code);
  static void destroy(Context* context);

  // Memory for `threads` threads; false when there is not enough.
  bool prepare(std::int64_t threads);
  // The caller's memory of an input or output, inputs first.
  void set_port(std::size_t port, void* data) {
    bases_[static_cast<std::size_t>(Region::FirstPort) + port] = static_cast<std::byte*>(data);
  }
  // Runs all steps. Adds each one's nanoseconds to step_ns, unless that is null.
  void run(const hone_table& table, std::int64_t* step_ns);

  Context* next = nullptr;  // in a list of contexts that wait for work

 private:
  explicit Context(const Code& code) : code_(code) {}
  void run_step(const StepEntry& step, std::int64_t iteration, const hone_table& table);
  void time_step(std::size_t step, std::int64_t iteration, const hone_table& table,
                 std::int64_t* step_ns);
  std::byte* address(const Operand& operand, std::int64_t iteration) const {
    return bases_[operand.region] + operand.offset_bytes + iteration * operand.stride_bytes;
  }

  const Code& code_;
  AlignedBuffer arena_, scratch_;
  std::byte** bases_ = nullptr;  // one a region
  void** arguments_ = nullptr;   // of the kernel that is called
};

}  // namespace hone::runtime
