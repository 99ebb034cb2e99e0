// Reads back what print writes.
#pragma once
#include <string_view>

#include "ir/program.h"

namespace hone::ir {

// Throws UserError with line and column on text that is no program. What reads well may still be wrong;
// `verify` says so.
Program parse_program(std::string_view text);

}  // namespace hone::ir
