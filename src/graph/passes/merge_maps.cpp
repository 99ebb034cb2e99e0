#include <algorithm>
#include <cstring>

#include "graph/infer.h"
#include "graph/passes.h"
#include "graph/passes/map_draft.h"
#include "ir/element.h"
#include "ir/simplify.h"

namespace hone::graph {
namespace {

// Bodies are trees for whoever takes them over, so a value used twice is written out twice. Past this
// much work for an element a Map is better left alone.
constexpr int kMostCost = 200;

// The number that all elements of a constant are.
std::optional<ir::Expr> only_element(const Tensor& tensor) {
  constexpr std::int64_t kMostCompared = 1 << 16;
  if (tensor.size() == 0 || tensor.size() > kMostCompared) return std::nullopt;
  const auto bytes = tensor.bytes();
  const auto width = static_cast<std::size_t>(ir::size_bytes(tensor.type()));
  for (std::size_t at = width; at < bytes.size(); at += width) {
    if (std::memcmp(bytes.data(), bytes.data() + at, width) != 0) return std::nullopt;
  }
  const ir::Number number = ir::read_number(tensor.type(), bytes.data());
  const ir::Type type{tensor.type()};
  return ir::is_float(tensor.type()) ? ir::float_imm(number.f, type) : ir::int_imm(number.i, type);
}

// Whether the draft keeps its shape without the i-th input, of which one stays in any case.
bool can_go(const Rewriter& graph, const MapDraft& map, std::size_t i) {
  Shape shape;
  for (std::size_t other = 0; other < map.inputs.size(); ++other) {
    if (other != i) shape = broadcast(shape, graph.shape(map.inputs[other]));
  }
  return shape == map.shape && map.inputs.size() > 1;
}

// Constants of one number become literals.
bool write_literals(const Rewriter& graph, MapDraft& map) {
  bool is_changed = false;
  for (std::size_t i = map.inputs.size(); i-- > 0;) {
    const auto constant = graph.constant_of(map.inputs[i]);
    const auto literal = constant && can_go(graph, map, i) ? only_element(*constant) : std::nullopt;
    if (!literal) continue;
    map.body = ir::simplify(ir::substitute(map.body, {{map.operands[i].get(), *literal}}));
    map.inputs.erase(map.inputs.begin() + static_cast<std::ptrdiff_t>(i));
    map.operands.erase(map.operands.begin() + static_cast<std::ptrdiff_t>(i));
    is_changed = true;
  }
  return is_changed;
}

int times_used(const ir::Expr& body, const ir::Expr& operand) {
  int times = 0;
  ir::visit(body, [&](const ir::Expr& e) { times += e.same(operand) ? 1 : 0; });
  return times;
}

// Whether the i-th input can be computed inside: nobody else reads it, and little is done twice.
bool should_absorb(const Rewriter& graph, const MapDraft& map, std::size_t i) {
  const ValueId input = map.inputs[i];
  const auto* other = graph.made_by<Map>(input);
  if (!other || !graph.has_one_reader(input)) return false;
  const int work = cost(other->body);
  const bool is_broadcast = model::elements(graph.shape(input)) != model::elements(map.shape);
  if (is_broadcast && work > kRepeatedCost) return false;
  return cost(map.body) + std::max(times_used(map.body, map.operands[i]), 1) * work <= kMostCost;
}

std::optional<ValueId> merge(Rewriter& graph, const Node& node) {
  if (!std::holds_alternative<Map>(node.op)) return std::nullopt;
  MapDraft map = draft(graph, node);
  bool is_changed = map.inputs.size() < node.inputs.size();
  is_changed |= write_literals(graph, map);
  for (std::size_t i = 0; i < map.inputs.size();) {
    if (!should_absorb(graph, map, i)) {
      ++i;
      continue;
    }
    absorb(graph, map, i);
    is_changed = true;
  }
  if (!is_changed) return std::nullopt;
  return finish(graph, map);
}

}  // namespace

Graph merge_maps(const Graph& graph) { return rewrite(graph, merge); }

}  // namespace hone::graph
