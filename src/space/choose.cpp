#include "space/choose.h"

#include <algorithm>
#include <bit>

#include "space/row_steps.h"

namespace hone::space {
namespace {

int element_bits(const task::Op& op) { return ir::bits(op.output()->type.scalar); }

}  // namespace

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

int lanes_for(std::int64_t extent, int native) {
  const auto needed = static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(extent)));
  return extent >= native ? native : std::min(needed, native);
}
int native_lanes(const task::Op& op, const target::Target& target) {
  return std::max(1, target.lanes(element_bits(op)));
}
int lanes_for(const task::Op& op, const target::Target& target) {
  return lanes_for(op.axes.back().extent, native_lanes(op, target));
}

std::int64_t reduction_steps(const task::Op& op) {
  std::int64_t steps = 1;
  for (const task::Axis& axis : op.reduce_axes) steps *= axis.extent;
  return steps;
}

std::vector<int> row_axes(const task::Op& op) {
  std::vector<int> axes;
  for (int a = static_cast<int>(op.axes.size()) - 2; a >= 0; --a) {
    if (op.axes[static_cast<std::size_t>(a)].extent > 1) axes.push_back(a);
  }
  return axes;
}

Tiling whole(const task::Op& op, int lanes) {
  Tiling t;
  const std::size_t n = op.axes.size();
  t.level1.assign(n, 1);
  t.level2.assign(n, 1);
  t.inner.assign(n, 1);
  t.reduce.assign(op.reduce_axes.size(), 1);
  t.lanes = lanes;
  return t;
}

std::int64_t tiles(const task::Op& op, const Tiling& t, std::size_t axis) {
  const bool is_vector = axis + 1 == op.axes.size();
  const std::int64_t tile = t.inner[axis] * t.level2[axis] * (is_vector ? t.lanes : 1);
  return ceil_div(op.axes[axis].extent, tile);
}

std::int64_t columns(const task::Op& op) {
  if (reduces_rows(op)) return op.reduce_axes.back().extent;
  return op.axes.empty() ? 1 : op.axes.back().extent;
}

bool attaches(const std::vector<StageRole>& roles, std::size_t op) {
  return std::any_of(roles.begin(), roles.end(), [&](const StageRole& r) {
    return r.role == Role::Attached && r.target == static_cast<int>(op);
  });
}

std::int64_t last_row_extent(const task::Op& op) {
  return op.axes.size() > 1 ? op.axes[op.axes.size() - 2].extent : 1;
}

}  // namespace hone::space
