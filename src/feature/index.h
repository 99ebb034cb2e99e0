// What features ask of indices.
#pragma once
#include "feature/loop_tree.h"

namespace hone::feature {

// Whether it depends on the loop.
bool mentions(const schedule::Vars& vars, const schedule::Sum& sum, schedule::Var var);
bool mentions(const schedule::Vars& vars, const Access& access, schedule::Var var);

// The sum that the digit's variable stands for, without multiples of the number that the digit is a
// remainder of: TVM writes (50*i + j) % 58 for (224*i + j) % 58.
schedule::Sum inside_remainder(const schedule::Sum& sum, const schedule::Digit& digit);

}  // namespace hone::feature
