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

std::vector<bool> unrolled_reductions(const ir::Program& program, const std::vector<bool>& is_tile) {
  std::vector<bool> is_unrolled(program.stmts.size(), false);
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
      is_unrolled[*l] = !is_tile[*l];
    }
  }
  return is_unrolled;
}

}  // namespace hone::lower
