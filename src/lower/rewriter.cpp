#include "lower/rewriter.h"

namespace hone::lower {

ir::Interval loop_range(const ir::For& loop, const ir::Ranges& ranges) {
  const ir::Interval first = ir::bounds(loop.min, ranges);
  const ir::Interval last = ir::bounds(loop.min + loop.extent - 1, ranges);
  return {first.min, std::max(first.min, last.max)};
}

void Rewriter::enter(const ir::Stmt::Kind& kind) {
  if (const auto* loop = std::get_if<ir::For>(&kind))
    ranges[loop->var.get()] = loop_range(*loop, ranges);
  if (const auto* let = std::get_if<ir::Let>(&kind)) {
    if (let->value.type() == ir::kIndex) ranges[let->var.get()] = ir::bounds(let->value, ranges);
  }
}

void Rewriter::copy(std::int32_t at) {
  ir::Stmt::Kind kind = ir::map_exprs(stmt(at).kind, [this](const ir::Expr& e) { return map(e); });
  enter(kind);
  const std::int32_t opened = writer.open(std::move(kind));
  body_of(at);
  writer.close(opened);
}

}  // namespace hone::lower
