// What the iterations of a loop load again and again.
#pragma once
#include "ir/program.h"

namespace hone::codegen {

// Distinct elements or vectors that stores in the loop at `at` load from the same place in every
// iteration, while nobody stores there. 0 where loops are inside of it: those decide for themselves.
std::size_t repeated_loads(const ir::Program& program, std::int32_t at);

}  // namespace hone::codegen
