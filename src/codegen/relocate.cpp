#include "codegen/relocate.h"

#include <llvm/BinaryFormat/ELF.h>

#include <cstring>

#include "base/error.h"

namespace hone::codegen {
namespace {

namespace elf = llvm::ELF;

constexpr std::int64_t kPage = 4096;

void check_fits(std::int64_t value, int bits) {
  const std::int64_t limit = std::int64_t{1} << (bits - 1);
  check(-limit <= value && value < limit, "an image is too large for its code's addressing");
}

template <class T>
void write(std::span<std::byte> code, T value) {
  check(code.size() >= sizeof value, "a relocation lies inside its section");
  std::memcpy(code.data(), &value, sizeof value);
}

// Replaces the bits of an AArch64 instruction that `mask` names.
void patch(std::span<std::byte> code, std::uint32_t mask, std::uint32_t bits) {
  check(code.size() >= 4, "a relocation lies inside its section");
  std::uint32_t instruction = 0;
  std::memcpy(&instruction, code.data(), 4);
  write(code, (instruction & ~mask) | (bits & mask));
}

bool relocate_x86(std::uint32_t type, std::span<std::byte> code, std::int64_t distance) {
  switch (type) {
    case elf::R_X86_64_PC32:
    case elf::R_X86_64_PLT32:
      check_fits(distance, 32);
      write(code, static_cast<std::int32_t>(distance));
      return true;
    case elf::R_X86_64_PC64:
      write(code, distance);
      return true;
    default:
      return false;
  }
}

// A branch or literal distance in words, `bits` wide, at bit `shift`.
void patch_words(std::span<std::byte> code, std::int64_t distance, int bits, int shift) {
  check_fits(distance, bits + 2);
  const std::uint32_t mask = ((1u << bits) - 1) << shift;
  patch(code, mask, static_cast<std::uint32_t>(distance >> 2) << shift);
}

void patch_adr(std::span<std::byte> code, std::int64_t immediate) {
  check_fits(immediate, 21);
  const auto bits = static_cast<std::uint32_t>(immediate);
  patch(code, 0x60FFFFE0u, ((bits & 3) << 29) | ((bits >> 2 & 0x7FFFF) << 5));
}

// The low 12 bits of an address are the same in the image and in memory, since both begin with a page.
void patch_page_offset(std::span<std::byte> code, std::int64_t value, int scale) {
  patch(code, 0xFFFu << 10, static_cast<std::uint32_t>((value & (kPage - 1)) >> scale) << 10);
}

bool relocate_aarch64(std::uint32_t type, std::span<std::byte> code, std::int64_t place,
                      std::int64_t value) {
  const std::int64_t distance = value - place;
  switch (type) {
    case elf::R_AARCH64_PREL32:
      check_fits(distance, 32);
      write(code, static_cast<std::int32_t>(distance));
      return true;
    case elf::R_AARCH64_PREL64:
      write(code, distance);
      return true;
    case elf::R_AARCH64_CALL26:
    case elf::R_AARCH64_JUMP26:
      patch_words(code, distance, 26, 0);
      return true;
    case elf::R_AARCH64_CONDBR19:
    case elf::R_AARCH64_LD_PREL_LO19:
      patch_words(code, distance, 19, 5);
      return true;
    case elf::R_AARCH64_TSTBR14:
      patch_words(code, distance, 14, 5);
      return true;
    case elf::R_AARCH64_ADR_PREL_LO21:
      patch_adr(code, distance);
      return true;
    case elf::R_AARCH64_ADR_PREL_PG_HI21:
      patch_adr(code, value / kPage - place / kPage);
      return true;
    case elf::R_AARCH64_ADD_ABS_LO12_NC:
    case elf::R_AARCH64_LDST8_ABS_LO12_NC:
      patch_page_offset(code, value, 0);
      return true;
    case elf::R_AARCH64_LDST16_ABS_LO12_NC:
      patch_page_offset(code, value, 1);
      return true;
    case elf::R_AARCH64_LDST32_ABS_LO12_NC:
      patch_page_offset(code, value, 2);
      return true;
    case elf::R_AARCH64_LDST64_ABS_LO12_NC:
      patch_page_offset(code, value, 3);
      return true;
    case elf::R_AARCH64_LDST128_ABS_LO12_NC:
      patch_page_offset(code, value, 4);
      return true;
    default:
      return false;
  }
}

}  // namespace

bool relocate(std::uint16_t machine, std::uint32_t type, std::span<std::byte> code, std::int64_t place,
              std::int64_t value) {
  if (machine == elf::EM_X86_64) return relocate_x86(type, code, value - place);
  if (machine == elf::EM_AARCH64) return relocate_aarch64(type, code, place, value);
  return false;
}

}  // namespace hone::codegen
