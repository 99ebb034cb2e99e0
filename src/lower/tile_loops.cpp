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

}  // namespace hone::lower
