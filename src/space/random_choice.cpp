// Tile sizes for the generic structure at random, within the target's registers.
#include <algorithm>

#include "space/blocks.h"
#include "space/borders.h"
#include "space/choose.h"
#include "space/filter.h"
#include "space/panels.h"
#include "space/prefetch.h"

namespace hone::space {
namespace {

constexpr std::int64_t kRarePanel = 16;  // one operand in this many is packed for no special reason
constexpr std::int64_t kRarePrefetch = 32;

std::int64_t draw_from(const std::vector<std::int64_t>& list, const Draw& draw) {
  return list[static_cast<std::size_t>(draw(static_cast<std::int64_t>(list.size())))];
}

// Rows of the tile spread over one or two axes, balanced so that no tile is much smaller than another.
void draw_rows(const task::Op& op, const target::Target& target, const Draw& draw, Tiling& t) {
  const std::vector<int> rows = row_axes(op);
  if (rows.empty()) return;
  const std::int64_t vectors = t.inner.back();
  std::int64_t most = 1;
  while (fits_registers(most + 1, vectors, target)) ++most;
  const bool two_axes = rows.size() > 1 && draw(4) == 0;
  const auto x = static_cast<std::size_t>(
      draw(2) == 0 ? rows[0] : rows[static_cast<std::size_t>(draw(std::ssize(rows)))]);
  const std::int64_t widest = std::min(most, op.axes[x].extent);
  // Half of the draws use most of the registers.
  const std::int64_t least = draw(2) == 0 ? 1 : std::max<std::int64_t>(1, widest / 2);
  t.inner[x] = balanced(op.axes[x].extent, least + draw(widest - least + 1));
  if (!two_axes) return;
  const auto y = static_cast<std::size_t>(x == static_cast<std::size_t>(rows[0]) ? rows[1] : rows[0]);
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

Tiling random_tiling(const task::Op& op, const std::vector<bool>& borders, const target::Target& target,
                     int threads, const Draw& draw) {
  const int widest = lanes_for(op, target);
  Tiling t = whole(op, draw(4) == 0 ? std::max(1, widest / 2) : widest);
  const std::size_t v = op.axes.size() - 1;
  const std::int64_t most = std::min<std::int64_t>(ceil_div(op.axes[v].extent, t.lanes), 6);
  t.inner[v] = balanced(ceil_div(op.axes[v].extent, t.lanes), 1 + draw(most));
  draw_rows(op, target, draw, t);
  draw_block(op, draw, t);
  limit_borders(borders, t);
  draw_outer(op, threads, draw, t);
  // Unrolling a long reduction only costs compile time; short ones (depthwise taps) gain from it.
  t.unroll = reduction_steps(op) <= kShortReduction ? draw_from({0, 64, 128}, draw)
                                                    : draw_from({0, 16, 64}, draw);
  return t;
}

// Where vectors would be gathered a panel mostly pays, elsewhere it rarely does.
std::int64_t draw_panel(const task::Task& task, const std::vector<StageRole>& roles, std::size_t reader,
                        int operand, const Tiling& t, const target::Target& target, const Draw& draw) {
  const task::Op& op = task.ops[reader];
  const task::Op& packed = task.ops[static_cast<std::size_t>(operand)];
  const bool is_wanted = is_gathered(task, roles, op, packed) ? draw(4) != 0 : draw(kRarePanel) == 0;
  if (!is_wanted) return kNoPanel;
  const PanelPlace place = settled(op, t, kInChunk + draw(in_reduction(op)));
  const Usage usage{.accumulators = 0, .scratch_bytes = panel_bytes(op, packed, t, place)};
  return fits(usage, target) ? place : kNoPanel;
}

void draw_prefetch(const StageRole& role, const Draw& draw, Tiling& t) {
  if (draw(kRarePrefetch) != 0 || is_packed(role, t, role.streamed)) return;
  t.prefetch = kPrefetchDistances[1 + static_cast<std::size_t>(draw(kPrefetchDistances.size() - 1))];
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

}  // namespace

Choice random_choice(const task::Task& task, const std::vector<StageRole>& roles,
                     const target::Target& target, int threads, const Draw& draw) {
  return choose(
      task, roles,
      [&](std::size_t i) {
        const task::Op& op = task.ops[i];
        Tiling t = random_tiling(op, border_axes(task, op), target, threads, draw);
        keep_blocks_whole(op, roles[i], t);
        for (const int operand : roles[i].panels)
          t.panels.push_back(draw_panel(task, roles, i, operand, t, target, draw));
        if (roles[i].streamed >= 0) draw_prefetch(roles[i], draw, t);
        return t;
      },
      [&](const task::Op& op, bool has_rows) { return random_rows(op, has_rows, target, draw); },
      [&](const task::Op& op) {
        const int widest = lanes_for(op, target);
        const int lanes = draw(8) == 0 ? std::max(1, widest / 2) : widest;
        const std::int64_t columns = draw_from({2, 3, 3, 4, 6}, draw);
        const std::int64_t share = ceil_div(ceil_div(op.axes.back().extent, columns * lanes), threads);
        return PatchTiling{lanes, columns, draw_from({share, share, ceil_div(share, 2), 1}, draw)};
      });
}

}  // namespace hone::space
