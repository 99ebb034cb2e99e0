// Bodies of Maps that compute the same with less: no division or power where a product does, and
// nothing again and again for each element that a smaller input is broadcast to.
#include <cmath>

#include "graph/infer.h"
#include "graph/passes.h"
#include "graph/passes/affine.h"
#include "graph/passes/map_draft.h"
#include "ir/simplify.h"

namespace hone::graph {
namespace {

using ir::BinaryOp;
using ir::Expr;

// Less for the same: products for small whole powers and for division by a number, the reciprocal of a
// square root by its own function.
Expr cheaper(const Expr& e) {
  if (!ir::is_float(e.type().scalar)) return e;
  if (const auto* call = e.as<ir::Call>(); call && call->function == ir::Function::Pow) {
    const Expr &x = call->args[0], &exponent = call->args[1];
    if (is_number(exponent, 1)) return x;
    if (is_number(exponent, 2)) return x * x;
    if (is_number(exponent, 3)) return x * x * x;
    if (is_number(exponent, 0.5)) return ir::call(ir::Function::Sqrt, {x});
  }
  const auto* n = e.as<ir::Binary>();
  if (!n || n->op != BinaryOp::Div) return e;
  const auto* divisor = n->b.as<ir::FloatImm>();
  constexpr double kSmallest = 1e-4,
                   kLargest = 1e4;  // whose reciprocals are normal in every float type
  if (divisor && std::abs(divisor->value) >= kSmallest && std::abs(divisor->value) <= kLargest)
    return n->a * ir::float_imm(1 / divisor->value, e.type());
  const auto* root = n->b.as<ir::Call>();
  if (is_number(n->a, 1) && root && root->function == ir::Function::Sqrt)
    return ir::call(ir::Function::Rsqrt, root->args);
  return e;
}

// Takes work out of a Map that does not need to be done for each of its elements.
class Hoist {
 public:
  Hoist(Rewriter& graph, const MapDraft& map)
      : graph_(graph), whole_(map), left_(map), elements_(model::elements(map.shape)) {}

  MapDraft run() {
    left_.body = part(ir::rewrite(whole_.body, [&](const Expr& e) { return by_reciprocal(e); }));
    return left_;
  }

 private:
  // How often an expression has to be computed: never again when all it needs is known.
  std::int64_t times(const Expr& e) const {
    Shape shape;
    bool is_known = true, needs_any = false;
    for (std::size_t i = 0; i < whole_.inputs.size(); ++i) {
      if (!ir::uses(e, whole_.operands[i])) continue;
      needs_any = true;
      is_known &= graph_.constant_of(whole_.inputs[i]).has_value();
      shape = broadcast(shape, graph_.shape(whole_.inputs[i]));
    }
    constexpr std::int64_t kMostKept = 1 << 16;  // elements that are kept as a constant
    const std::int64_t count = model::elements(shape);
    if (!needs_any) return elements_;
    return is_known && count <= kMostKept ? 0 : count;
  }

  // a / b as a * (1 / b), when there are fewer reciprocals than products.
  Expr by_reciprocal(const Expr& e) const {
    const auto* n = e.as<ir::Binary>();
    if (!n || n->op != BinaryOp::Div || !ir::is_float(e.type().scalar) || is_number(n->a, 1)) return e;
    if (times(n->b) >= times(e)) return e;
    return n->a * cheaper(ir::float_imm(1, e.type()) / n->b);
  }

  // The largest parts that are worth it become inputs.
  Expr part(const Expr& e) {
    if (e.as<ir::Variable>()) return e;
    const std::int64_t often = times(e);
    const bool is_worth_it = often == 0 || cost(e) > kRepeatedCost;
    const auto value = often < elements_ && is_worth_it ? value_of(graph_, whole_, e) : std::nullopt;
    if (value) return operand_for(graph_, left_, *value);
    return ir::map_children(e, [&](const Expr& child) { return part(child); });
  }

  Rewriter& graph_;
  const MapDraft whole_;
  MapDraft left_;
  std::int64_t elements_;
};

std::optional<ValueId> cheapen(Rewriter& graph, const Node& node) {
  if (!std::holds_alternative<Map>(node.op)) return std::nullopt;
  MapDraft map = draft(graph, node);
  const Expr before = map.body;
  map.body = ir::simplify(ir::rewrite(map.body, cheaper));
  map = Hoist(graph, map).run();
  if (ir::equal(map.body, before)) return std::nullopt;
  return finish(graph, map);
}

}  // namespace

Graph cheapen_maps(const Graph& graph) { return rewrite(graph, cheapen); }

}  // namespace hone::graph
