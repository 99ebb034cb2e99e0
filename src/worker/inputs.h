// The random inputs on which kernels are timed and checked, the same on every machine.
#pragma once
#include <cstddef>
#include <cstdint>

#include "ir/type.h"

namespace hone::worker {

// Element `element` of parameter `buffer`: for floats evenly from [-1, 1), on a grid that the type
// holds exactly; signed integers from [-4, 4], unsigned ones from [0, 8], bools 0 or 1.
double random_value(std::uint64_t seed, int buffer, std::int64_t element, ir::Scalar type);

// Writes the first `elements` of them.
void fill_random(std::byte* data, std::int64_t elements, std::uint64_t seed, int buffer,
                 ir::Scalar type);

}  // namespace hone::worker
