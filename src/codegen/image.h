// A small linker: an ELF object with code and constants becomes one position-independent image.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hone::codegen {

// The function that a kernel is called by, in every object.
inline constexpr const char* kEntryName = "hone_entry";

struct Image {
  std::vector<std::byte> bytes;
  std::uint64_t entry = 0;  // of the function kEntryName, as an offset
};

// Takes the sections that hold code and constants, lays them side by side and applies their
// relocations. InternalError for anything that could not run by itself: undefined symbols, writable
// data, addresses that only a loader knows.
Image link_image(std::span<const std::byte> object);

}  // namespace hone::codegen
