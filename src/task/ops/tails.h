// What may follow an operator in the same task: bias, activations, a residual, a normalisation.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "task/ops/operator.h"

namespace hone::task::ops {

const std::vector<std::string>& tail_names();

// Appends one op that reads the draft's last. `channels` are the dimensions along which bias, scale
// and shift vary. Throws UserError for an unknown tail and for one that needs floats.
void write_tail(Draft& draft, std::string_view name, const ChannelDims& channels);

}  // namespace hone::task::ops
