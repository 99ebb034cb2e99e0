// What both back ends ask of loops.
#pragma once
#include "ir/program.h"
#include "ir/simplify.h"

namespace hone::codegen {

// UserError for the loops that only a GPU has.
void check_cpu_loop(const ir::For& loop);
// Whether a loop's iterations are spread over threads: parallel, and more than one. (One inside another
// such loop runs serially all the same.)
bool is_spread(const ir::For& loop);
// The values that the loop variable takes.
ir::Interval loop_range(const ir::For& loop, const ir::Ranges& ranges);

}  // namespace hone::codegen
