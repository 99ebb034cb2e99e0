// What the iterations of a loop load again and again.
#pragma once
#include "ir/program.h"

namespace hone::codegen {

// Distinct elements or vectors that every iteration of the loop at `at` loads from the same place and
// nobody stores in it. 0 where loops are inside of it: those decide for themselves.
std::size_t repeated_loads(const ir::Program& program, std::int32_t at);

}  // namespace hone::codegen
