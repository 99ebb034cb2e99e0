// Relocations that hold wherever an image is mapped: distances inside it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace hone::codegen {

// Writes the distance from `place` to `value` (offsets in the image) into the code that begins with
// `code`, as the relocation `type` of ELF `machine` asks. False when the type is none that an image can
// hold. InternalError when the distance does not fit.
bool relocate(std::uint16_t machine, std::uint32_t type, std::span<std::byte> code, std::int64_t place,
              std::int64_t value);

}  // namespace hone::codegen
