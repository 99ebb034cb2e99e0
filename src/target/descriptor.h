// A machine as numbers that cost models learn from; what nobody knows of it stays open.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "target/target.h"

namespace hone::target {

enum class MachineKind : std::uint8_t { Unknown, Cpu, Gpu };

// 0 is not known. Rates are those of the whole machine unless said otherwise, measured or the maker's.
struct Descriptor {
  MachineKind kind = MachineKind::Unknown;
  double cores = 0;    // of a GPU its multiprocessors
  double threads = 0;  // that programs run on
  double vector_bits = 0, vector_registers = 0;
  double clock_ghz = 0;
  double l1_kib = 0, l2_kib = 0, l3_kib = 0;  // L1 and L2 of one core; of a GPU's L2 all
  double bandwidth_gbs = 0;                   // of memory
  double core_gflops = 0, peak_gflops = 0;    // multiply-adds of float32: one core, all of them
  // Limits of a GPU.
  double block_shared_kib = 0, block_threads = 0, block_registers = 0, warp = 0;
};

// The numbers by the names that texts have for them, in the order in which models read them.
struct DescriptorField {
  std::string_view name;
  double Descriptor::* value;
};
std::span<const DescriptorField> descriptor_fields();

// "kind=cpu isa=avx2 cores=8": one word a fact, in any order. An instruction set is for people only.
// UserError for a fact that there is not or a number that is none.
Descriptor parse_descriptor(std::string_view text);
std::string to_string(const Descriptor& descriptor);  // what is known of it

// Whether two descriptions can be of one machine: what both know agrees, up to noise where it was
// measured.
bool agree(const Descriptor& a, const Descriptor& b);

// What a target says of itself, without measuring.
Descriptor describe(const Target& target);

}  // namespace hone::target
