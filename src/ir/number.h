// Which numbers an element type holds: rounding floats and wrapping integers to it.
#pragma once
#include <cstddef>
#include <cstdint>

#include "ir/type.h"

namespace hone::ir {

// The value of the float type nearest to `value`, ties to even; past the largest it is infinite.
double round_to(Scalar scalar, double value);
// `value` modulo 2^bits, read as a value of the type. A uint64 keeps its 64 bits; a bool is 0 or 1.
std::int64_t wrap_to(Scalar scalar, std::int64_t value);

// float16 and bfloat16 in memory. The value must be one that `round_to` gives.
std::uint16_t half_bits(Scalar scalar, double value);
double from_half_bits(Scalar scalar, std::uint16_t bits);

// Least and greatest value of an integer type or bool; a uint64 is cut off at the largest int64.
std::int64_t min_value(Scalar scalar);
std::int64_t max_value(Scalar scalar);

}  // namespace hone::ir
