#include "codegen/repeated_loads.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "ir/expr_hash.h"

namespace hone::codegen {

std::size_t repeated_loads(const ir::Program& program, std::int32_t at) {
  const auto stmt = [&](std::int32_t i) -> const ir::Stmt& {
    return program.stmts[static_cast<std::size_t>(i)];
  };
  std::vector<ir::Expr> variables = {stmt(at).as<ir::For>()->var};
  std::unordered_set<const ir::BufferNode*> stored;
  for (std::int32_t i = at + 1; i < stmt(at).end; ++i) {
    if (stmt(i).as<ir::For>()) return 0;
    if (const auto* let = stmt(i).as<ir::Let>()) variables.push_back(let->var);
    if (const auto* store = stmt(i).as<ir::Store>()) stored.insert(store->buffer.get());
  }
  std::unordered_set<ir::Expr, ir::ExprHash, ir::ExprEqual> found;
  for (std::int32_t i = at + 1; i < stmt(at).end; ++i) {
    const auto* store = stmt(i).as<ir::Store>();
    if (!store) continue;
    ir::visit(store->value, [&](const ir::Expr& e) {
      const auto* load = e.as<ir::Load>();
      if (!load || load->buffer->scope == ir::Scope::Register || stored.contains(load->buffer.get()))
        return;
      const bool is_fixed =
          std::none_of(variables.begin(), variables.end(),
                       [&](const ir::Expr& variable) { return ir::uses(e, variable); });
      if (is_fixed) found.insert(e);
    });
  }
  return found.size();
}

}  // namespace hone::codegen
