// One number of any element type, in memory and on its own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ir/number.h"

namespace hone::ir {

// One number: which member holds is known from its type. Integers and bools are values of their type, a
// uint64 by its bits.
union Number {
  std::int64_t i;
  double f;
};
// Numbers in memory. In line, so that a caller who knows the type pays for nothing else.
template <class Stored>
Number read_as(const std::byte* at) {
  Stored stored{};
  std::memcpy(&stored, at, sizeof stored);
  if constexpr (std::is_floating_point_v<Stored>) return {.f = stored};
  return {.i = static_cast<std::int64_t>(stored)};
}
template <class Stored>
void write_as(std::byte* at, Stored stored) {
  std::memcpy(at, &stored, sizeof stored);
}
inline Number read_number(Scalar scalar, const std::byte* at) {
  switch (scalar) {
    case Scalar::Bool:
    case Scalar::U8:
      return read_as<std::uint8_t>(at);
    case Scalar::I8:
      return read_as<std::int8_t>(at);
    case Scalar::I16:
      return read_as<std::int16_t>(at);
    case Scalar::U16:
      return read_as<std::uint16_t>(at);
    case Scalar::I32:
      return read_as<std::int32_t>(at);
    case Scalar::U32:
      return read_as<std::uint32_t>(at);
    case Scalar::F16:
    case Scalar::BF16:
      return {.f = from_half_bits(scalar, static_cast<std::uint16_t>(read_as<std::uint16_t>(at).i))};
    case Scalar::F32:
      return read_as<float>(at);
    case Scalar::F64:
      return read_as<double>(at);
    default:
      return read_as<std::int64_t>(at);
  }
}
inline void write_number(Scalar scalar, std::byte* at, Number value) {
  switch (scalar) {
    case Scalar::Bool:
    case Scalar::I8:
    case Scalar::U8:
      return write_as(at, static_cast<std::uint8_t>(value.i));
    case Scalar::I16:
    case Scalar::U16:
      return write_as(at, static_cast<std::uint16_t>(value.i));
    case Scalar::I32:
    case Scalar::U32:
      return write_as(at, static_cast<std::uint32_t>(value.i));
    case Scalar::F16:
    case Scalar::BF16:
      return write_as(at, half_bits(scalar, value.f));
    case Scalar::F32:
      return write_as(at, static_cast<float>(value.f));
    case Scalar::F64:
      return write_as(at, value.f);
    default:
      return write_as(at, value.i);
  }
}

}  // namespace hone::ir
