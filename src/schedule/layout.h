// The layout in which a schedule wants a constant operand (ansor.md 10.5): pure, no step of its own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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
// How the reader of placeholder `operand` (an op of the original task) walks it. The state must have
// its bounds. Empty when the operand is not layout-free, is read in several ways, or is not walked
// along its axes tile by tile.
std::optional<PackedLayout> packed_layout(const State& state, int operand);
// The same with the operand's number among the ops of State::task, and with the index of every
// dimension as the one read has it.
struct PackedRead {
  PackedLayout layout;
  std::vector<Digit> index;  // one a dimension, of scale 1, over the variables of exact_vars(state)
};
std::optional<PackedRead> packed_read(const State& state, int operand, Vars& vars);

// Whether the stage is a copy that CHR made in plain memory and CA put inside a loop. Nobody else sees
// how it is laid out.
bool is_panel(const State& state, int stage);
// The axes of a panel in the order in which they lie in memory, outermost first: as the loops of its
// only reader walk them, so that neighbours are read one after the other. Empty for every other stage,
// and when there are several reads: the axes then lie in their own order. The state must have its
// bounds.
std::vector<int> panel_order(const State& state, int stage, Vars& vars);

// Whether a reader says of the placeholder that it may be laid out anew: a constant weight.
bool is_layout_free(const task::Task& task, const std::string& placeholder);

// Element (row-major) of the packed operand -> element of the original; -1 is padding.
std::int64_t source_element(const PackedLayout& layout, const std::vector<std::int64_t>& original_shape,
                            std::int64_t packed_element);
std::int64_t element_count(const PackedLayout& layout);
// The packed operand, for elements of any size.
std::vector<std::byte> pack(const PackedLayout& layout, const std::vector<std::int64_t>& original_shape,
                            std::span<const std::byte> original, std::size_t element_bytes);

}  // namespace hone::schedule
