// How many of the terms of a sum are computed.
#pragma once
#include "feature/loop_tree.h"

namespace hone::feature {

// Where what is read was spread, as in a transposed convolution, a choice leaves out the terms that lie
// between its elements: this share of all is left.
double share_of_taps(const schedule::Vars& vars, const Store& store);

}  // namespace hone::feature
