#include "lower/update.h"

#include <limits>

namespace hone::lower {

using ir::BinaryOp;
using ir::Expr;

bool is_update(const ir::Store& store) {
  bool reads_itself = false;
  ir::visit(store.value, [&](const Expr& e) {
    const auto* load = e.as<ir::Load>();
    reads_itself |= load && load->buffer == store.buffer;
  });
  return reads_itself;
}

bool has_update(const ir::Program& program, std::int32_t at) {
  for (std::int32_t i = at; i < program.stmts[static_cast<std::size_t>(at)].end; ++i) {
    const auto* store = program.stmts[static_cast<std::size_t>(i)].as<ir::Store>();
    if (store && is_update(*store)) return true;
  }
  return false;
}

const ir::Binary* update_of(const ir::Store& store) {
  const auto* both = store.value.as<ir::Binary>();
  const auto* old = both ? both->a.as<ir::Load>() : nullptr;
  if (!old || old->buffer != store.buffer || old->index.size() != store.index.size()) return nullptr;
  for (std::size_t d = 0; d < old->index.size(); ++d) {
    if (!ir::equal(old->index[d], store.index[d])) return nullptr;
  }
  return both;
}

bool is_zero(const Expr& e) {
  if (const auto* number = e.as<ir::FloatImm>()) return number->value == 0.0;
  if (const auto* lanes = e.as<ir::Broadcast>()) return is_zero(lanes->value);
  const auto* product = e.as<ir::Binary>();
  if (product && product->op == BinaryOp::Mul) return is_zero(product->a) || is_zero(product->b);
  return ir::is_int(e, 0);
}

bool changes_nothing(const ir::Store& store) {
  const ir::Binary* update = update_of(store);
  if (!update) return false;
  if (update->op == BinaryOp::Add) return is_zero(update->b);
  const auto* lanes = update->b.as<ir::Broadcast>();
  const auto* number = (lanes ? lanes->value : update->b).as<ir::FloatImm>();
  if (!number || store.buffer->type != ir::kF32) return false;
  constexpr double kHighest = std::numeric_limits<float>::max();
  return (update->op == BinaryOp::Max && number->value <= -kHighest) ||
         (update->op == BinaryOp::Min && number->value >= kHighest);
}

}  // namespace hone::lower
