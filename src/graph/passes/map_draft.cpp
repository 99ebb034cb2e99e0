#include "graph/passes/map_draft.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/infer.h"
#include "ir/simplify.h"

namespace hone::graph {
namespace {

using ir::Expr;

// The body of a node's Map on the draft's operands.
Expr body_on(const Rewriter& graph, MapDraft& map, const Node& node) {
  const auto& other = std::get<Map>(node.op);
  ir::Substitution values;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    values[other.operands[i].get()] = operand_for(graph, map, node.inputs[i]);
  }
  return ir::substitute(other.body, values);
}

ValueId add_map(Rewriter& graph, const MapDraft& map, const std::vector<bool>& is_kept) {
  std::vector<ValueId> inputs;
  ir::Substitution renamed;
  std::vector<ir::Scalar> types;
  std::vector<Expr> kept;
  for (std::size_t i = 0; i < map.inputs.size(); ++i) {
    if (!is_kept[i]) continue;
    inputs.push_back(map.inputs[i]);
    kept.push_back(map.operands[i]);
  }
  return graph.map(inputs, [&](const std::vector<Expr>& operands) {
    for (std::size_t i = 0; i < kept.size(); ++i) renamed[kept[i].get()] = operands[i];
    return ir::substitute(map.body, renamed);
  });
}

std::vector<bool> used_inputs(const MapDraft& map) {
  std::vector<bool> is_used;
  for (const Expr& operand : map.operands) is_used.push_back(ir::uses(map.body, operand));
  return is_used;
}

}  // namespace

Expr operand_for(const Rewriter& graph, MapDraft& map, ValueId input) {
  const auto found = std::ranges::find(map.inputs, input);
  if (found != map.inputs.end())
    return map.operands[static_cast<std::size_t>(found - map.inputs.begin())];
  map.inputs.push_back(input);
  map.operands.push_back(
      ir::variable(fmt::format("x{}", map.operands.size()), {graph.type(input).type}));
  return map.operands.back();
}

MapDraft draft(const Rewriter& graph, const Node& node) {
  MapDraft map;
  map.body = body_on(graph, map, node);
  for (const ValueId id : node.inputs) map.shape = broadcast(map.shape, graph.shape(id));
  return map;
}

void absorb(const Rewriter& graph, MapDraft& map, std::size_t i) {
  const Node& producer = *graph.producer(map.inputs[i]);
  const Expr operand = map.operands[i];
  map.inputs.erase(map.inputs.begin() + static_cast<std::ptrdiff_t>(i));
  map.operands.erase(map.operands.begin() + static_cast<std::ptrdiff_t>(i));
  const auto place = static_cast<std::ptrdiff_t>(i),
             end = static_cast<std::ptrdiff_t>(map.inputs.size());
  const Expr value = body_on(graph, map, producer);
  std::rotate(map.inputs.begin() + place, map.inputs.begin() + end, map.inputs.end());
  std::rotate(map.operands.begin() + place, map.operands.begin() + end, map.operands.end());
  map.body = ir::simplify(ir::substitute(map.body, {{operand.get(), value}}));
}

ValueId finish(Rewriter& graph, const MapDraft& map) {
  std::vector<bool> is_kept = used_inputs(map);
  Shape shape;
  for (std::size_t i = 0; i < map.inputs.size(); ++i) {
    if (is_kept[i]) shape = broadcast(shape, graph.shape(map.inputs[i]));
  }
  for (std::size_t i = 0; i < map.inputs.size(); ++i) {
    const Shape with = broadcast(shape, graph.shape(map.inputs[i]));
    const bool is_last_chance = i + 1 == map.inputs.size() && std::ranges::count(is_kept, true) == 0;
    if (is_kept[i] || (with == shape && !is_last_chance)) continue;
    is_kept[i] = true;
    shape = with;
  }
  return add_map(graph, map, is_kept);
}

std::optional<ValueId> value_of(Rewriter& graph, const MapDraft& map, const Expr& body) {
  const Expr simple = ir::simplify(body);
  if (const auto* real = simple.as<ir::FloatImm>())
    return graph.scalar(real->value, body.type().scalar);
  MapDraft other = map;
  other.body = simple;
  const std::vector<bool> is_used = used_inputs(other);
  if (std::ranges::count(is_used, true) == 0) return std::nullopt;
  return add_map(graph, other, is_used);
}

int cost(const Expr& body) {
  constexpr int kDivision = 4, kFunction = 16, kMost = 1 << 20;
  int sum = ir::match(
      body,
      [](const ir::Binary& n) {
        return n.op == ir::BinaryOp::Div || n.op == ir::BinaryOp::Mod ? kDivision : 1;
      },
      [](const ir::Call& n) {
        return n.function == ir::Function::Abs || n.function == ir::Function::Fma ? 1 : kFunction;
      },
      [](const ir::IntImm&) { return 0; }, [](const ir::FloatImm&) { return 0; },
      [](const ir::Variable&) { return 0; }, [](const auto&) { return 1; });
  ir::for_each_child(body, [&](const Expr& child) { sum = std::min(sum + cost(child), kMost); });
  return sum;
}

}  // namespace hone::graph
