// What analysis and chance both ask of an op when they choose its tile sizes.
#pragma once
#include <vector>

#include "space/tiling.h"

namespace hone::space {

std::int64_t ceil_div(std::int64_t a, std::int64_t b);

int native_lanes(const task::Op& op, const target::Target& target);
// The widest vector not longer than the axis needs.
int lanes_for(std::int64_t extent, int native);
int lanes_for(const task::Op& op, const target::Target& target);  // for its last axis

// Steps of a reduction that is unrolled as a whole, as the taps of a depthwise convolution.
inline constexpr std::int64_t kShortReduction = 64;
std::int64_t reduction_steps(const task::Op& op);

// Spatial axes that may form the rows of the register tile, innermost first.
std::vector<int> row_axes(const task::Op& op);
// No tiles but single vectors.
Tiling whole(const task::Op& op, int lanes);
// Register tiles along an axis.
std::int64_t tiles(const task::Op& op, const Tiling& t, std::size_t axis);

// Elements of one row, which are cut into vectors.
std::int64_t columns(const task::Op& op);
std::int64_t last_row_extent(const task::Op& op);
// Whether others are computed inside the rows of the op: several rows a step then hide the latency of
// what a row waits for, the end of its reductions.
bool attaches(const std::vector<StageRole>& roles, std::size_t op);

// A choice made op by op: tile(number of the op), row(op, attaches), patch(op).
template <class TileOp, class RowOp, class PatchOp>
Choice choose(const task::Task& task, const std::vector<StageRole>& roles, const TileOp& tile,
              const RowOp& row, const PatchOp& patch) {
  Choice choice;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (roles[i].role == Role::Tiled) choice.tiled.push_back(tile(i));
    if (roles[i].role == Role::Rows || roles[i].role == Role::Attached)
      choice.rows.push_back(row(task.ops[i], attaches(roles, i)));
    if (roles[i].role == Role::Patches) choice.patches.push_back(patch(task.ops[i]));
  }
  return choice;
}

}  // namespace hone::space
