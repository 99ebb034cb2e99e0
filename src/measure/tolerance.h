// How far a right answer may lie from another right answer.
#pragma once
#include <cstdint>

#include "ir/type.h"

namespace hone::measure {

// Relative to the larger of the expected value and the root mean square of the output (worker/check.h).
// `reduction_length` is the number of terms summed into one element, all stages together. `slack`
// widens it for algorithms that lose more digits than a sum does, such as Winograd's. Integers are
// exact.
double tolerance(ir::Scalar type, std::int64_t reduction_length, double slack = 1);

}  // namespace hone::measure
