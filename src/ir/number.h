// Which numbers an element type holds: rounding floats and wrapping integers to it.
#pragma once
#include <cstddef>
#include <cstdint>

#include "ir/type.h"

namespace hone::ir {

double round_to_half(Scalar scalar, double value);  // float16 or bfloat16

// The value of the float type nearest to `value`, ties to even; past the largest it is infinite.
inline double round_to(Scalar scalar, double value) {
  if (scalar == Scalar::F64) return value;
  return scalar == Scalar::F32 ? static_cast<float>(value) : round_to_half(scalar, value);
}

// `value` modulo 2^bits, read as a value of the type. A uint64 keeps its 64 bits; a bool is 0 or 1.
constexpr std::int64_t wrap_to(Scalar scalar, std::int64_t value) {
  switch (scalar) {
    case Scalar::Bool:
      return value != 0;
    case Scalar::I8:
      return static_cast<std::int8_t>(value);
    case Scalar::I16:
      return static_cast<std::int16_t>(value);
    case Scalar::I32:
      return static_cast<std::int32_t>(value);
    case Scalar::U8:
      return static_cast<std::uint8_t>(value);
    case Scalar::U16:
      return static_cast<std::uint16_t>(value);
    case Scalar::U32:
      return static_cast<std::uint32_t>(value);
    default:
      return value;
  }
}

// float16 and bfloat16 in memory. The value must be one that `round_to` gives.
std::uint16_t half_bits(Scalar scalar, double value);
double from_half_bits(Scalar scalar, std::uint16_t bits);

// Least and greatest value of an integer type or bool; a uint64 is cut off at the largest int64.
std::int64_t min_value(Scalar scalar);
std::int64_t max_value(Scalar scalar);

}  // namespace hone::ir
