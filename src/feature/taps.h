// How many of the terms of a sum are computed.
#pragma once
#include <span>

#include "feature/loop_tree.h"

namespace hone::feature {

// Where what is read was spread, as in a transposed convolution, a choice leaves out the terms that lie
// between its elements: this share of all is left.
double share_of_taps(const schedule::Vars& vars, const Store& store);
// The same of what is met while only these loops move.
double share_met_by(const schedule::Vars& vars, const Store& store,
                    std::span<const schedule::Var> loops);

}  // namespace hone::feature
