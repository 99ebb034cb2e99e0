// A compiled candidate: one position-independent image and all that its caller must know.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/program.h"
#include "schedule/layout.h"
#include "target/target.h"

namespace hone::codegen {

struct Parameter {
  std::string name;
  ir::Type type;
  std::vector<std::int64_t> shape, strides;  // strides in elements
  bool is_output = false;
  std::int64_t size_bytes = 0;
  // A constant operand that the kernel reads in a layout of its own, and the shape it is packed from.
  std::optional<schedule::PackedLayout> packed;
  std::vector<std::int64_t> original_shape;
};

// `image` is text and constants with every relocation applied; it runs at any page-aligned address,
// mapped read-execute, and refers to nothing outside itself. `entry` is a hone_entry's offset in it.
struct Kernel {
  std::string name;
  std::vector<std::byte> image;
  std::uint64_t entry = 0;
  std::vector<Parameter> parameters;
  std::int64_t scratch_bytes = 0;         // shared by all threads
  std::int64_t thread_scratch_bytes = 0;  // for each thread, behind the shared part
  std::int64_t parallel_extent = 0;       // of the largest parallel loop; 0 when there is none
};

// Build one kernel from an optimised program (see lower/optimise.h for what that holds). Thread-safe:
// every thread has its own compiler state.
Kernel build_llvm(const ir::Program& program, const target::Target& target);
std::string print_llvm(const ir::Program& program, const target::Target& target);  // IR after passes
std::string print_asm(const ir::Program& program, const target::Target& target);

// The same through plain C with vector extensions and the system's C compiler.
std::string print_c(const ir::Program& program, const target::Target& target);
Kernel build_c(const ir::Program& program, const target::Target& target);
// Several in one file, as static functions kernel_0, kernel_1, ...
std::string print_c_kernels(std::span<const ir::Program> programs, const std::string& title);

}  // namespace hone::codegen
