// A Transpose or Reshape behind a Map moves in front of it when it meets its inverse there: then both
// go, and the Map joins what stands around them.
#include <algorithm>

#include "graph/order.h"
#include "graph/passes.h"
#include "graph/passes/rewriter.h"

namespace hone::graph {
namespace {

// An input of a Map as it has to be for the Map to give its result moved.
using Move = std::function<std::optional<ValueId>(ValueId input)>;

// Map(inputs) moved -> Map(moved inputs), when each can be moved without a new node that copies.
std::optional<ValueId> move_inputs(Rewriter& graph, const Node& node, const Move& move) {
  const ValueId result = node.inputs.front();
  const auto* map = graph.made_by<Map>(result);
  if (!map || !graph.has_one_reader(result)) return std::nullopt;
  std::vector<ValueId> inputs;
  bool meets_inverse = false;
  for (const ValueId input : graph.producer(result)->inputs) {
    const auto moved = move(input);
    if (!moved) return std::nullopt;
    meets_inverse |= !graph.constant_of(*moved);
    inputs.push_back(*moved);
  }
  return meets_inverse ? std::optional(graph.add(*map, inputs)) : std::nullopt;
}

// A constant, with dimensions of extent 1 in front so that it has the rank.
ValueId with_rank(Rewriter& graph, ValueId id, std::size_t rank) {
  Shape shape = graph.shape(id);
  shape.insert(shape.begin(), rank - shape.size(), 1);
  return graph.add(Reshape{shape}, {id});
}

std::optional<ValueId> cancel(Rewriter& graph, const Node& node, const Transpose& op) {
  return move_inputs(graph, node, [&](ValueId input) -> std::optional<ValueId> {
    if (graph.constant_of(input)) return graph.add(op, {with_rank(graph, input, op.order.size())});
    const auto* first = graph.made_by<Transpose>(input);
    if (!first || !is_identity(permuted(first->order, op.order))) return std::nullopt;
    return graph.producer(input)->inputs.front();
  });
}

std::optional<ValueId> cancel(Rewriter& graph, const Node& node, const Reshape& op) {
  const Shape shape = graph.shape(node.inputs.front());
  return move_inputs(graph, node, [&](ValueId input) -> std::optional<ValueId> {
    if (graph.constant_of(input) && model::elements(graph.shape(input)) == 1)
      return graph.add(Reshape{{}}, {input});
    if (graph.shape(input) != shape) return std::nullopt;
    if (graph.constant_of(input)) return graph.add(op, {input});
    if (!graph.made_by<Reshape>(input)) return std::nullopt;
    const ValueId source = graph.producer(input)->inputs.front();
    return graph.shape(source) == op.shape ? std::optional(source) : std::nullopt;
  });
}

}  // namespace

Graph cancel_through_maps(const Graph& graph) {
  return rewrite(graph, [](Rewriter& next, const Node& node) -> std::optional<ValueId> {
    if (const auto* transpose = std::get_if<Transpose>(&node.op)) return cancel(next, node, *transpose);
    if (const auto* reshape = std::get_if<Reshape>(&node.op)) return cancel(next, node, *reshape);
    return std::nullopt;
  });
}

}  // namespace hone::graph
