#include "space/borders.h"

#include <algorithm>

namespace hone::space {
namespace {

bool is_padded(const task::Op& op) {
  bool found = false;
  for (const ir::Expr& body : op.body) {
    ir::visit(body, [&](const ir::Expr& e) {
      const auto* choice = e.as<ir::Select>();
      found |= choice && choice->lazy;
    });
  }
  return found;
}

bool uses_any(const ir::Expr& index, const std::vector<task::Axis>& axes) {
  return std::any_of(axes.begin(), axes.end(),
                     [&](const task::Axis& axis) { return ir::uses(index, axis.var); });
}

}  // namespace

std::vector<bool> border_axes(const task::Task& task, const task::Op& op) {
  std::vector<bool> borders(op.axes.size(), false);
  for (const ir::Expr& body : op.body) {
    ir::visit(body, [&](const ir::Expr& e) {
      const auto* load = e.as<ir::Load>();
      const int producer = load ? task.producer(load->buffer) : -1;
      if (producer < 0 || !is_padded(task.ops[static_cast<std::size_t>(producer)])) return;
      for (const ir::Expr& index : load->index) {
        if (!uses_any(index, op.reduce_axes)) continue;
        for (std::size_t a = 0; a < op.axes.size(); ++a)
          borders[a] = borders[a] || ir::uses(index, op.axes[a].var);
      }
    });
  }
  return borders;
}

void limit_borders(const std::vector<bool>& borders, Tiling& tiling) {
  const std::size_t v = borders.size() - 1;
  const auto size = [&](std::size_t a) {
    return tiling.inner[a] * tiling.level2[a] * (a == v ? tiling.lanes : 1);
  };
  std::size_t kept = v;  // a vector axis stays: everything is in vectors
  if (!borders[v]) {
    for (std::size_t a = 0; a < v; ++a) {
      if (borders[a] && (!borders[kept] || size(a) > size(kept))) kept = a;
    }
  }
  for (std::size_t a = 0; a < v; ++a) {
    if (borders[a] && a != kept) tiling.inner[a] = tiling.level2[a] = 1;
  }
}

}  // namespace hone::space
