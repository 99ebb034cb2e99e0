// The eight numbers by which Ansor knows a machine, in the order of the public record format.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "target/target.h"

namespace hone::space {

struct Hardware {
  enum class Kind : std::uint8_t { Cpu, Gpu };
  Kind kind = Kind::Cpu;
  int cores = 1;  // -1 on a GPU
  int vector_bytes = 64;
  int cache_line_bytes = 64;
  // Limits of a GPU; a CPU has zeros.
  int max_shared_bytes = 0;  // of a block
  int max_local_bytes = 0;   // of a block
  int max_threads = 0;       // of a block
  int max_vthread = 0;
  int warp = 0;
};

Hardware hardware_of(const target::Target& target);
// As a record gives them: a GPU is what has threads. Throws UserError when they are not eight.
Hardware hardware_from(std::span<const std::int64_t> numbers);
std::array<std::int64_t, 8> to_numbers(const Hardware& hardware);

}  // namespace hone::space
