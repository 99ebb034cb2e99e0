// What blocks of residual networks have in common.
#pragma once
#include "model/builtin/layers.h"

namespace hone::model {

// The scale of a branch's last normalisation: every block adds to what passes by, and branches this
// quiet keep sixteen of them from adding up.
inline constexpr double kBranchGain = 0.5;

// relu(branch + x); x is projected to the branch's shape (name.downsample) where they differ.
Value residual(Build& build, const std::string& name, const Value& x, const Value& branch,
               std::int64_t stride);

}  // namespace hone::model
