// The layout in which a schedule wants a constant operand (ansor.md 10.5): pure, no step of its own.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/state.h"

namespace hone::schedule {

// A packed operand: dimensions in the order the reading loops walk them. Dimension d covers
// `extent` steps of `stride` elements along axis `axis` of the original; sizes that do not divide are
// padded up to the tile grid, and padding holds zeros.
struct PackedDim {
  int axis;
  std::int64_t extent, stride;
};
struct PackedLayout {
  std::vector<PackedDim> dims;      // outer to inner
  std::vector<std::int64_t> shape;  // extents of dims
};
// How stage readers of placeholder `operand` (an op index of the original task) walk it.
// Empty when the operand is not layout-free or its accesses are not plain axes.
std::optional<PackedLayout> packed_layout(const State& state, int operand);
// Element (row-major) of the packed operand -> element of the original; -1 is padding.
std::int64_t source_element(const PackedLayout& layout, const std::vector<std::int64_t>& original_shape,
                            std::int64_t packed_element);

}  // namespace hone::schedule
