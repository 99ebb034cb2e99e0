// Whether two step lists say the same.
#pragma once
#include "schedule/step.h"

namespace hone::space {

// The extent in a split is what somebody saw when writing it down; replaying does not look at it, and
// neither does this.
bool is_same(const schedule::Step& a, const schedule::Step& b);
bool is_same(const schedule::Steps& a, const schedule::Steps& b);
// Whether they would say the same if sizes were equal: lengths of splits, and where a prefetch stands,
// which depends on them, are not looked at.
bool is_alike(const schedule::Steps& a, const schedule::Steps& b);

}  // namespace hone::space
