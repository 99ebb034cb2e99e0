// Padding taps of sums are skipped instead of added as zeros: sum += select(c, x, 0)*w becomes
// if (c) sum += x*w, whose condition later passes move out of the inner loops.
#include <optional>

#include "lower/passes.h"
#include "lower/rewriter.h"

namespace hone::lower {
namespace {

using ir::BinaryOp;
using ir::Expr;

struct Guarded {
  Expr condition, value;  // the value where the condition holds; zero elsewhere
};

bool is_zero(const Expr& e) {
  const auto* number = e.as<ir::FloatImm>();
  return ir::is_int(e, 0) || (number && number->value == 0.0);
}

std::optional<Guarded> zero_unless(const Expr& e) {
  if (const auto* choice = e.as<ir::Select>()) {
    if (is_zero(choice->else_value)) return Guarded{choice->condition, choice->then_value};
    if (is_zero(choice->then_value))
      return Guarded{ir::logical_not(choice->condition), choice->else_value};
  }
  if (const auto* product = e.as<ir::Binary>(); product && product->op == BinaryOp::Mul) {
    if (const auto left = zero_unless(product->a))
      return Guarded{left->condition, left->value * product->b};
    if (const auto right = zero_unless(product->b))
      return Guarded{right->condition, product->a * right->value};
  }
  if (const auto* cast = e.as<ir::Cast>()) {
    if (const auto inner = zero_unless(cast->value)) {
      return Guarded{inner->condition, ir::cast(e.type(), inner->value)};
    }
  }
  return std::nullopt;
}

// The amount that the store adds to its own element, when that is what it does.
const Expr* added_amount(const ir::Store& store) {
  const auto* sum = store.value.as<ir::Binary>();
  if (!sum || sum->op != BinaryOp::Add) return nullptr;
  const auto* old = sum->a.as<ir::Load>();
  if (!old || old->buffer != store.buffer || old->index.size() != store.index.size()) return nullptr;
  for (std::size_t d = 0; d < old->index.size(); ++d) {
    if (!ir::equal(old->index[d], store.index[d])) return nullptr;
  }
  return &sum->b;
}

class SkipPadding : public Rewriter {
 public:
  using Rewriter::Rewriter;

 protected:
  void statement(std::int32_t at) override {
    const auto* store = stmt(at).as<ir::Store>();
    const Expr* amount = store ? added_amount(*store) : nullptr;
    const std::optional<Guarded> guarded = amount ? zero_unless(*amount) : std::nullopt;
    if (!guarded) return copy(at);
    const std::int32_t guard = writer.open(ir::If{guarded->condition});
    writer.store(store->buffer, store->index, store->value.as<ir::Binary>()->a + guarded->value);
    writer.close(guard);
  }
};

}  // namespace

ir::Program skip_padding(ir::Program program, const target::Target&) {
  return SkipPadding(program).run();
}

}  // namespace hone::lower
