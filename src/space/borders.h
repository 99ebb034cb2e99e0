// Tiles at the borders of padded operands are code of their own: along one axis that pays, along two it
// makes nine kinds of tiles and most of the compile time.
#pragma once
#include <vector>

#include "space/tiling.h"

namespace hone::space {

// Of each axis of the op, whether it slides a window over a padded operand.
std::vector<bool> border_axes(const task::Task& task, const task::Op& op);

// Leaves tiles along one of these axes at most, the one with the largest; `borders` has one entry an
// axis.
void limit_borders(const std::vector<bool>& borders, Tiling& tiling);

}  // namespace hone::space
