#include "lower/tile_loops.h"

#include <algorithm>

#include "lower/update.h"

namespace hone::lower {

std::vector<bool> tile_loops(const ir::Program& program) {
  std::vector<bool> is_tile(program.stmts.size(), false);
  std::vector<std::size_t> open;  // enclosing loops, outer to inner
  for (std::size_t at = 0; at < program.stmts.size(); ++at) {
    while (!open.empty() && program.stmts[open.back()].end <= static_cast<std::int32_t>(at))
      open.pop_back();
    const ir::Stmt& stmt = program.stmts[at];
    if (const auto* loop = stmt.as<ir::For>()) {
      open.push_back(at);
      is_tile[at] = loop->kind == ir::LoopKind::Vectorized || loop->kind == ir::LoopKind::Unrolled;
    }
    const auto* store = stmt.as<ir::Store>();
    if (!store || !is_update(*store)) continue;
    for (auto outer = open.rbegin(); outer != open.rend(); ++outer) {
      const auto& loop = *program.stmts[*outer].as<ir::For>();
      const bool moves_store = std::any_of(store->index.begin(), store->index.end(),
                                           [&](const ir::Expr& i) { return ir::uses(i, loop.var); });
      if (!is_tile[*outer] && (!moves_store || loop.kind != ir::LoopKind::Serial)) break;
      is_tile[*outer] = is_tile[*outer] || ir::as_int(loop.extent).has_value();
    }
  }
  return is_tile;
}

std::vector<bool> straight_loops(const ir::Program& program) {
  const std::vector<bool> is_tile = tile_loops(program);
  std::vector<bool> is_straight = is_tile;
  std::vector<std::size_t> open;
  for (std::size_t at = 0; at < program.stmts.size(); ++at) {
    while (!open.empty() && program.stmts[open.back()].end <= static_cast<std::int32_t>(at))
      open.pop_back();
    if (program.stmts[at].as<ir::For>()) open.push_back(at);
    const auto* store = program.stmts[at].as<ir::Store>();
    if (!store || !is_update(*store)) continue;
    std::int64_t limit = 0;
    for (const std::size_t l : open)
      limit = std::max<std::int64_t>(limit, program.stmts[l].as<ir::For>()->auto_unroll_max_step);
    std::int64_t statements = 1;
    for (auto l = open.rbegin(); l != open.rend(); ++l) {
      const auto& loop = *program.stmts[*l].as<ir::For>();
      const auto extent = ir::as_int(loop.extent);
      if (!extent || statements * *extent > limit) break;
      if (loop.kind != ir::LoopKind::Vectorized) statements *= *extent;
      if (loop.kind == ir::LoopKind::Parallel) break;
      const bool moves_store = std::any_of(store->index.begin(), store->index.end(),
                                           [&](const ir::Expr& i) { return ir::uses(i, loop.var); });
      if (!is_tile[*l] && moves_store) break;
      is_straight[*l] = true;
    }
  }
  return is_straight;
}

std::int64_t straight_size(const ir::Program& program, std::int32_t at,
                           const std::vector<bool>& is_straight) {
  const auto stmt = [&](std::int32_t i) -> const ir::Stmt& {
    return program.stmts[static_cast<std::size_t>(i)];
  };
  std::int64_t size = 0, scale = 1;
  std::vector<std::pair<std::int32_t, std::int64_t>> open;  // end of a loop, scale around it
  for (std::int32_t i = at + 1; i < stmt(at).end; ++i) {
    while (!open.empty() && open.back().first <= i) scale = open.back().second, open.pop_back();
    if (stmt(i).as<ir::Store>()) size += scale;
    const auto* loop = stmt(i).as<ir::For>();
    if (!loop) continue;
    open.emplace_back(stmt(i).end, scale);
    if (is_straight[static_cast<std::size_t>(i)] && loop->kind != ir::LoopKind::Vectorized)
      scale *= ir::as_int(loop->extent).value_or(1);
  }
  return size;
}

}  // namespace hone::lower
