// Tile sizes for the generic structure: by analysis of the target, or at random within its registers.
#include <algorithm>
#include <bit>

#include "base/error.h"
#include "space/row_steps.h"
#include "space/tiling.h"

namespace hone::space {
namespace {

constexpr std::int64_t kL1Ways = 8;  // rows that may share one L1 set before they evict each other
constexpr std::int64_t kShortReduction = 64;
constexpr std::int64_t kConflictBytes = 4096;  // rows this far apart fall into one set

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

int element_bits(const task::Op& op) { return ir::bits(op.output()->type.scalar); }

// The widest vector not longer than the axis needs.
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

// Spatial axes that may form the rows of the register tile, innermost first.
std::vector<int> row_axes(const task::Op& op) {
  std::vector<int> axes;
  for (int a = static_cast<int>(op.axes.size()) - 2; a >= 0; --a) {
    if (op.axes[static_cast<std::size_t>(a)].extent > 1) axes.push_back(a);
  }
  return axes;
}

// Elements between neighbours of axis `a` in the operand that does not depend on the vector axis.
std::int64_t broadcast_stride(const task::Op& op, int a) {
  std::int64_t stride = 0;
  const ir::Expr& row = op.axes[static_cast<std::size_t>(a)].var;
  const ir::Expr& vector_axis = op.axes.back().var;
  ir::visit(op.body.front(), [&](const ir::Expr& e) {
    const auto* load = e.as<ir::Load>();
    if (!load) return;
    const std::vector<std::int64_t> strides = ir::strides_of(*load->buffer);
    std::int64_t step = 0;
    for (std::size_t d = 0; d < load->index.size(); ++d) {
      if (ir::uses(load->index[d], vector_axis)) return;
      if (ir::uses(load->index[d], row)) step += strides[d];
    }
    stride = std::max(stride, step);
  });
  return stride;
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

// Multiply-adds of the register tiles over those that the result needs: 1 is perfect.
double waste(const task::Op& op, const Tiling& t) {
  double ratio = 1;
  for (std::size_t a = 0; a < op.axes.size(); ++a) {
    const bool is_vector = a + 1 == op.axes.size();
    const std::int64_t covered = tiles(op, t, a) * t.inner[a] * t.level2[a] * (is_vector ? t.lanes : 1);
    ratio *= static_cast<double>(covered) / static_cast<double>(op.axes[a].extent);
  }
  return ratio;
}

// Estimated time of a register tile per multiply-add of its vectors; 1 at the FMA bound. With few
// accumulators the FMA latency shows, with few vectors a row the loads do.
double tile_cost(std::int64_t rows, std::int64_t vectors) {
  constexpr double kLatency = 8;  // FMAs in flight that hide the latency of one
  const auto accumulators = static_cast<double>(rows * vectors);
  const double latency = std::max(1.0, kLatency / accumulators);
  const double loads = static_cast<double>(rows + vectors) / (2.0 * accumulators);
  return std::max(latency, loads) + 0.1 * loads;
}

// Chunks for parallel loops: whole rows of tiles stay together unless that leaves threads idle.
void group_tiles(const task::Op& op, int threads, Tiling& t) {
  const std::int64_t wanted = 4 * static_cast<std::int64_t>(threads);
  std::int64_t outer = 1;
  for (std::size_t a = 0; a < op.axes.size(); ++a) outer *= tiles(op, t, a);
  for (const int a : row_axes(op)) {
    const auto axis = static_cast<std::size_t>(a);
    const std::int64_t n = tiles(op, t, axis);
    std::int64_t group = std::max<std::int64_t>(1, std::min(n, outer / wanted));
    while (group > 1 && n % group != 0) --group;
    t.level1[axis] = group;
    outer /= group;
  }
}

Tiling analytic_tiling(const task::Op& op, const target::Target& target, int threads) {
  const std::vector<int> rows = row_axes(op);
  const int widest = lanes_for(op, target);
  Tiling best = whole(op, widest);
  double best_cost = 1e30;
  const std::size_t v = op.axes.size() - 1;
  for (const int lanes : {widest, std::max(1, widest / 2)}) {
    const std::int64_t max_vectors = ceil_div(op.axes[v].extent, lanes);
    for (std::int64_t vectors = 1; vectors <= std::min<std::int64_t>(max_vectors, 6); ++vectors) {
      for (std::int64_t n_rows = 1; fits_registers(n_rows, vectors, target); ++n_rows) {
        Tiling t = whole(op, lanes);
        t.inner[v] = vectors;
        if (!rows.empty()) {
          const auto axis = static_cast<std::size_t>(rows.front());
          if (n_rows > op.axes[axis].extent) break;
          t.inner[axis] = balanced(op.axes[axis].extent, n_rows);
          const std::int64_t step_bytes = broadcast_stride(op, rows.front()) * element_bits(op) / 8;
          if (n_rows > kL1Ways && step_bytes > 0 && step_bytes % kConflictBytes == 0) break;
        } else if (n_rows > 1) {
          break;
        }
        const std::int64_t actual = rows.empty() ? 1 : t.inner[static_cast<std::size_t>(rows.front())];
        const double width_cost = static_cast<double>(widest) / lanes;
        const double cost = waste(op, t) * tile_cost(actual, vectors) *
                            (lanes == widest ? 1.0 : 0.5 * width_cost + 0.05);
        if (cost < best_cost) best_cost = cost, best = t;
      }
    }
  }
  group_tiles(op, threads, best);
  best.vector_axis_outermost = true;
  return best;
}

std::int64_t draw_from(const std::vector<std::int64_t>& list, const Draw& draw) {
  return list[static_cast<std::size_t>(draw(static_cast<std::int64_t>(list.size())))];
}

// Rows of the tile spread over one or two axes, balanced so that no tile is much smaller than another.
void draw_rows(const task::Op& op, bool has_borders, const target::Target& target, const Draw& draw,
               Tiling& t) {
  const std::vector<int> rows = row_axes(op);
  if (rows.empty()) return;
  const std::int64_t vectors = t.inner.back();
  std::int64_t most = 1;
  while (fits_registers(most + 1, vectors, target)) ++most;
  // Borders along two axes would make nine kinds of tiles, each with code of its own.
  const bool two_axes = rows.size() > 1 && !has_borders && draw(4) == 0;
  const auto x = static_cast<std::size_t>(rows[0]);
  const std::int64_t widest = std::min(most, op.axes[x].extent);
  // Half of the draws use most of the registers.
  const std::int64_t least = draw(2) == 0 ? 1 : std::max<std::int64_t>(1, widest / 2);
  t.inner[x] = balanced(op.axes[x].extent, least + draw(widest - least + 1));
  if (!two_axes) return;
  const auto y = static_cast<std::size_t>(rows[1]);
  const std::int64_t tallest = std::min(most / t.inner[x], op.axes[y].extent);
  if (tallest > 1) t.inner[y] = balanced(op.axes[y].extent, 1 + draw(tallest));
}

void draw_outer(const task::Op& op, int threads, const Draw& draw, Tiling& t) {
  std::int64_t outer = 1;
  for (std::size_t a = 0; a < op.axes.size(); ++a) outer *= tiles(op, t, a);
  for (std::size_t a = 0; a < op.axes.size(); ++a) {
    const std::int64_t n = tiles(op, t, a);
    const std::int64_t group = draw_from({1, 2, 4, 8, n}, draw);
    if (group > n || outer / group < threads) continue;
    t.level1[a] = balanced(n, group);
    outer /= t.level1[a];
  }
  t.vector_axis_outermost = draw(2) == 0;
}

// Now and then a cache block: some register tiles share a part of the reduction.
void draw_block(const task::Op& op, const Draw& draw, Tiling& t) {
  if (op.reduce_axes.empty() || draw(4) != 0) return;
  const auto longest =
      std::max_element(op.reduce_axes.begin(), op.reduce_axes.end(),
                       [](const task::Axis& a, const task::Axis& b) { return a.extent < b.extent; });
  if (longest->extent < 64) return;
  const auto axis = static_cast<std::size_t>(draw(static_cast<std::int64_t>(op.axes.size())));
  t.level2[axis] = std::min<std::int64_t>(draw_from({2, 4, 8}, draw), tiles(op, t, axis));
  for (std::size_t r = 0; r < t.reduce.size(); ++r) {
    const bool is_longest = &op.reduce_axes[r] == &*longest;
    t.reduce[r] = is_longest ? std::min(longest->extent, draw_from({64, 128, 256, 512}, draw)) : 1;
  }
}

// Whether the op reads a padded tensor, so that tiles at its borders differ from the others.
bool reads_padding(const task::Task& task, const task::Op& op) {
  bool found = false;
  for (const ir::Expr& body : op.body) {
    ir::visit(body, [&](const ir::Expr& e) {
      const auto* load = e.as<ir::Load>();
      const int producer = load ? task.producer(load->buffer) : -1;
      if (producer < 0) return;
      for (const ir::Expr& read : task.ops[static_cast<std::size_t>(producer)].body) {
        ir::visit(read, [&](const ir::Expr& part) {
          const auto* choice = part.as<ir::Select>();
          found |= choice && choice->lazy;
        });
      }
    });
  }
  return found;
}

Tiling random_tiling(const task::Op& op, bool has_borders, const target::Target& target, int threads,
                     const Draw& draw) {
  const int widest = lanes_for(op, target);
  Tiling t = whole(op, draw(4) == 0 ? std::max(1, widest / 2) : widest);
  const std::size_t v = op.axes.size() - 1;
  const std::int64_t most = std::min<std::int64_t>(ceil_div(op.axes[v].extent, t.lanes), 6);
  t.inner[v] = balanced(ceil_div(op.axes[v].extent, t.lanes), 1 + draw(most));
  draw_rows(op, has_borders, target, draw, t);
  draw_block(op, draw, t);
  draw_outer(op, threads, draw, t);
  // Unrolling a long reduction only costs compile time; short ones (depthwise taps) gain from it.
  std::int64_t steps = 1;
  for (const task::Axis& axis : op.reduce_axes) steps *= axis.extent;
  t.unroll = steps <= kShortReduction ? draw_from({0, 64, 128}, draw) : draw_from({0, 16, 64}, draw);
  return t;
}

// Elements of one row, which are cut into vectors.
std::int64_t columns(const task::Op& op) {
  if (reduces_rows(op)) return op.reduce_axes.back().extent;
  return op.axes.empty() ? 1 : op.axes.back().extent;
}

// Whether others are computed inside the rows of the op: several rows a step then hide the latency of
// what a row waits for, the end of its reductions.
bool attaches(const std::vector<StageRole>& roles, std::size_t op) {
  return std::any_of(roles.begin(), roles.end(), [&](const StageRole& r) {
    return r.role == Role::Attached && r.target == static_cast<int>(op);
  });
}

std::int64_t last_row_extent(const task::Op& op) {
  return op.axes.size() > 1 ? op.axes[op.axes.size() - 2].extent : 1;
}

RowTiling analytic_rows(const task::Op& op, bool attaches, const target::Target& target) {
  constexpr std::int64_t kVectors = 4;  // in flight, which hides the latency of their operations
  const int lanes = lanes_for(columns(op), native_lanes(op, target));
  const std::int64_t rows = attaches ? std::min<std::int64_t>(2, last_row_extent(op)) : 1;
  return {lanes, std::min(kVectors, ceil_div(columns(op), lanes)), rows, 0};
}

RowTiling random_rows(const task::Op& op, bool attaches, const target::Target& target,
                      const Draw& draw) {
  const int widest = lanes_for(columns(op), native_lanes(op, target));
  RowTiling t{draw(8) == 0 ? std::max(1, widest / 2) : widest, 1, 1, 0};
  t.vectors = std::min(draw_from({1, 2, 4, 8}, draw), ceil_div(columns(op), t.lanes));
  if (attaches) t.rows = std::min(draw_from({1, 2, 4}, draw), last_row_extent(op));
  t.unroll = draw_from({0, 0, 64}, draw);
  return t;
}

template <class TileOp, class RowOp, class PatchOp>
Choice choose(const task::Task& task, const std::vector<StageRole>& roles, const TileOp& tile,
              const RowOp& row, const PatchOp& patch) {
  Choice choice;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (roles[i].role == Role::Tiled) choice.tiled.push_back(tile(task.ops[i]));
    if (roles[i].role == Role::Rows || roles[i].role == Role::Attached)
      choice.rows.push_back(row(task.ops[i], attaches(roles, i)));
    if (roles[i].role == Role::Patches) choice.patches.push_back(patch(task.ops[i]));
  }
  return choice;
}

}  // namespace

Choice analytic_choice(const task::Task& task, const std::vector<StageRole>& roles,
                       const target::Target& target, int threads) {
  return choose(
      task, roles, [&](const task::Op& op) { return analytic_tiling(op, target, threads); },
      [&](const task::Op& op, bool has_rows) { return analytic_rows(op, has_rows, target); },
      [&](const task::Op& op) { return PatchTiling{lanes_for(op, target)}; });
}

Choice random_choice(const task::Task& task, const std::vector<StageRole>& roles,
                     const target::Target& target, int threads, const Draw& draw) {
  return choose(
      task, roles,
      [&](const task::Op& op) {
        return random_tiling(op, reads_padding(task, op), target, threads, draw);
      },
      [&](const task::Op& op, bool has_rows) { return random_rows(op, has_rows, target, draw); },
      [&](const task::Op& op) {
        const int widest = lanes_for(op, target);
        return PatchTiling{draw(8) == 0 ? std::max(1, widest / 2) : widest};
      });
}

}  // namespace hone::space
