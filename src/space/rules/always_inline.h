// Which stages are worth no buffer of their own.
#pragma once
#include "space/rule.h"

namespace hone::space::rules {

// Recomputing is cheaper than storing: no result, no reduction and, on a CPU, no branch, no exp and no
// axes out of order. A GPU always rather computes than stores.
bool should_be_inlined(const Site& site);

}  // namespace hone::space::rules
