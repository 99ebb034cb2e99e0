// Choices inside values become conditions around stores, where later passes can move them out of the
// inner loops. Padding taps of sums are skipped instead of added as zeros: sum += select(c, x, 0)*w
// becomes if (c) sum += x*w.
#include <optional>

#include "lower/passes.h"
#include "lower/rewriter.h"
#include "lower/update.h"

namespace hone::lower {
namespace {

using ir::BinaryOp;
using ir::Expr;

constexpr int kMaxChoices = 3;  // a store with n choices becomes up to 2^n stores

struct Guarded {
  Expr condition, value;  // the value where the condition holds; zero elsewhere
};

std::optional<Guarded> zero_unless(const Expr& e) {
  if (const auto* choice = e.as<ir::Select>()) {
    if (is_zero(choice->else_value)) return Guarded{choice->condition, choice->then_value};
    if (is_zero(choice->then_value))
      return Guarded{ir::logical_not(choice->condition), choice->else_value};
  }
  if (const auto* product = e.as<ir::Binary>(); product && product->op == BinaryOp::Mul) {
    if (const auto left = zero_unless(product->a))
      return Guarded{left->condition, left->value * product->b};
    if (const auto right = zero_unless(product->b)) {
      return Guarded{right->condition, product->a * right->value};
    }
  }
  if (const auto* cast = e.as<ir::Cast>()) {
    if (const auto inner = zero_unless(cast->value)) {
      return Guarded{inner->condition, ir::cast(e.type(), inner->value)};
    }
  }
  return std::nullopt;
}

Expr first_choice(const Expr& value) {
  Expr found;
  ir::visit(value, [&](const Expr& e) {
    const auto* choice = e.as<ir::Select>();
    if (!found && choice && choice->lazy) found = e;
  });
  return found;
}

class SkipPadding : public Rewriter {
 public:
  using Rewriter::Rewriter;

 protected:
  void statement(std::int32_t at) override {
    const auto* store = stmt(at).as<ir::Store>();
    return store ? choose(*store, 0) : copy(at);
  }

 private:
  void choose(const ir::Store& store, int depth) {
    if (changes_nothing(store)) return;
    const ir::Binary* update = update_of(store);
    const bool is_sum = update && update->op == BinaryOp::Add;
    if (const auto guarded = is_sum ? zero_unless(update->b) : std::nullopt) {
      const std::int32_t guard = writer.open(ir::If{guarded->condition});
      choose({store.buffer, store.index, update->a + guarded->value}, depth + 1);
      return writer.close(guard);
    }
    const Expr choice = depth < kMaxChoices ? first_choice(store.value) : Expr();
    if (!choice) return writer.store(store.buffer, store.index, store.value);
    const auto* select = choice.as<ir::Select>();
    const auto with = [&](const Expr& chosen) {
      return ir::Store{store.buffer, store.index, ir::rewrite(store.value, [&](const Expr& e) {
                         return e.same(choice) ? chosen : e;
                       })};
    };
    const std::int32_t then_part = writer.open(ir::If{select->condition});
    choose(with(select->then_value), depth + 1);
    writer.close(then_part);
    const ir::Store other = with(select->else_value);
    if (changes_nothing(other)) return;
    const std::int32_t else_part = writer.open(ir::Else{});
    choose(other, depth + 1);
    writer.close(else_part);
  }
};

}  // namespace

ir::Program skip_padding(ir::Program program, const target::Target&) {
  return SkipPadding(program).run();
}

}  // namespace hone::lower
