// Says what is wrong with a loop program; the first thing every stage's tests ask.
#pragma once
#include <string>
#include <vector>

#include "ir/program.h"

namespace hone::ir {

// Empty when the program is well formed: bodies nest, variables are defined around their use and hide
// no other, types agree, buffers are parameters or allocated around their use, indices have the
// buffer's rank, thread loops have constant extents, block loops stand outside of them, barriers
// inside, Register buffers have constant indices. Each problem names the statement by its position.
std::vector<std::string> verify(const Program& program);
void check_valid(const Program& program);  // throws InternalError with the program's text

}  // namespace hone::ir
