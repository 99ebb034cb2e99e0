// Multi-level tiling of one stage, which two rules share.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "space/rule.h"

namespace hone::space::rules {

struct Tiled {
  schedule::State state;
  // The step that splits each spatial axis; empty for an axis that stays whole.
  std::vector<std::optional<int>> splits;
};

// Whether the op's author wants the axis of this name whole.
bool stays_whole(const task::Op& op, std::string_view axis);

// Splits every axis into the levels of its kind, lengths open, and orders the loops by level. Axes that
// stay whole stand first in the innermost level of their kind.
Tiled tile(const Site& site);

}  // namespace hone::space::rules
