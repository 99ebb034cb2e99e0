// What features ask of indices.
#pragma once
#include "feature/loop_tree.h"

namespace hone::feature {

// Whether it depends on the loop.
bool mentions(const schedule::Vars& vars, const schedule::Sum& sum, schedule::Var var);
bool mentions(const schedule::Vars& vars, const Access& access, schedule::Var var);

// Adds the turns after which a loop's counter begins again somewhere in the access: those of the loops
// that were fused into it.
void add_periods(const schedule::Vars& vars, const Access& access, schedule::Var var,
                 std::vector<std::int64_t>& periods);

// The scale that a digit has inside of another one: multiples of what that one is a remainder of make
// no difference, and TVM leaves them out: (50*i + j) % 58 for (224*i + j) % 58.
std::int64_t scale_inside(std::int64_t scale, const schedule::Digit& around);

}  // namespace hone::feature
