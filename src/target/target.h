// A machine as data: what code generation, the schedule space and the reports need to know of it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hone::target {

enum class Arch : std::uint8_t { X86_64, Aarch64 };

struct Cache {
  int level;
  std::int64_t size_bytes;
  int ways;
  int line_bytes;
  bool shared;
};

struct Target {
  std::string name;  // "host", "sse4", "avx2", "avx512", "neon", or the printed string
  Arch arch = Arch::X86_64;
  std::string triple;    // LLVM's
  std::string cpu;       // LLVM's name, e.g. "znver4"
  std::string features;  // LLVM's, e.g. "+avx2,+fma"
  int cores = 1;
  int vector_bits = 256;
  int vector_registers = 16;
  bool fma = true;
  std::vector<Cache> caches;  // data caches, L1 first

  int lanes(int element_bits) const { return vector_bits / element_bits; }
};

Target host();                        // this machine, detected
Target parse(std::string_view text);  // a known name or what to_string wrote; UserError otherwise
std::string to_string(
    const Target& target);  // "cpu -arch=x86_64 -mcpu=znver4 -vector=512 -cores=2 ..."
std::vector<std::string> known_names();
// What nearly all machines of an architecture can run, the most demanding one first.
std::vector<Target> portable(Arch arch);

}  // namespace hone::target
