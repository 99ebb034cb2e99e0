// What a part of a program uses from the code around it: what the body of a parallel loop must be
// given.
#pragma once
#include <cstdint>
#include <vector>

#include "ir/program.h"

namespace hone::codegen {

struct Capture {
  std::vector<ir::Buffer> buffers;  // neither list has an entry twice;
  std::vector<ir::Expr> variables;  // both are in order of first use
};

// Of the statements [begin, end): all that they use and do not define.
Capture capture(const ir::Program& program, std::int32_t begin, std::int32_t end);

}  // namespace hone::codegen
