// Scales and shifts of channels by known numbers, which batch normalisation is once a network is
// trained, go into the weights beside them and into one addition.
#include <algorithm>

#include "graph/passes.h"
#include "graph/passes/affine.h"
#include "graph/passes/map_draft.h"

namespace hone::graph {
namespace {

// Constant weights [a, b...] seen as [groups, a / groups, b...], and one of those dimensions: its
// channels, counted over all groups, are what numbers are multiplied onto.
struct Channels {
  ValueId weights;
  std::int64_t groups;
  std::size_t dimension;
};

// The weights times one number a channel, [channels] or [1]; still with the groups apart.
ValueId times(Rewriter& graph, const Channels& channels, ValueId numbers) {
  Shape grouped = graph.shape(channels.weights);
  grouped.front() /= channels.groups;
  grouped.insert(grouped.begin(), channels.groups);
  Shape factors(grouped.size(), 1);
  if (const std::int64_t count = graph.shape(numbers).front(); count > 1) {
    factors[0] = channels.groups;
    factors[channels.dimension] = count / channels.groups;
  }
  return graph.map(
      {graph.add(Reshape{grouped}, {channels.weights}), graph.add(Reshape{factors}, {numbers})},
      [](const auto& x) { return x[0] * x[1]; });
}

ValueId scaled(Rewriter& graph, const Channels& channels, ValueId numbers) {
  return graph.add(Reshape{graph.shape(channels.weights)}, {times(graph, channels, numbers)});
}

// A constant that is the same along all dimensions of a shape but one, as [extent there] or [1].
std::optional<ValueId> along(Rewriter& graph, std::optional<ValueId> id, const Shape& of,
                             std::size_t dimension) {
  if (!id || !graph.constant_of(*id)) return std::nullopt;
  const Shape shape = graph.shape(*id);
  const std::int64_t count = model::elements(shape);
  const std::size_t from_end = of.size() - dimension;
  const bool is_along = from_end <= shape.size() && shape[shape.size() - from_end] == count;
  if (shape.size() > of.size() || (count != 1 && (!is_along || count != of[dimension])))
    return std::nullopt;
  return graph.add(Reshape{{count}}, {*id});
}

// The node that writes a value, when its output channels are those of constant weights.
struct Linear {
  const Node* node;
  std::size_t output_dimension;  // of the channels
  Channels weights;
};
std::optional<Linear> linear(const Rewriter& graph, ValueId id) {
  const Node* node = graph.producer(id);
  if (!node || node->inputs.size() != 2 || !graph.constant_of(node->inputs[1])) return std::nullopt;
  const ValueId weights = node->inputs[1];
  if (const auto* conv = std::get_if<Conv>(&node->op)) {
    if (conv->window.layout == Layout::ChannelsFirst)
      return Linear{node, 1, {weights, conv->groups, 1}};
  }
  if (const auto* conv = std::get_if<ConvTranspose>(&node->op)) {
    if (conv->window.layout == Layout::ChannelsFirst)
      return Linear{node, 1, {weights, conv->groups, 2}};
  }
  if (std::holds_alternative<MatMul>(node->op))
    return Linear{node, graph.shape(id).size() - 1, {weights, 1, graph.shape(weights).size()}};
  return std::nullopt;
}

// scale * linear(x, w) + shift -> linear(x, scale * w) + shift, where only the scale has to be known.
std::optional<ValueId> fold_behind(Rewriter& graph, const MapDraft& map, std::size_t i) {
  const ValueId input = map.inputs[i];
  const auto target = linear(graph, input);
  const auto line = affine(map.body, map.operands[i]);
  if (!target || !line || is_number(line->scale, 1) || !graph.has_one_reader(input))
    return std::nullopt;
  const auto scale =
      along(graph, value_of(graph, map, line->scale), graph.shape(input), target->output_dimension);
  const auto shift = scale ? value_of(graph, map, line->shift) : std::nullopt;
  if (!shift) return std::nullopt;
  const ValueId product =
      graph.add(target->node->op, {target->node->inputs[0], scaled(graph, target->weights, *scale)});
  const ValueId sum = is_number(line->shift, 0)
                          ? product
                          : graph.map({product, *shift}, [](const auto& x) { return x[0] + x[1]; });
  return graph.shape(sum) == map.shape ? std::optional(sum) : std::nullopt;
}

// The same for a Map behind the node, or behind one more Map: a bias in front of the normalisation.
std::optional<ValueId> fold_behind(Rewriter& graph, const Node& node) {
  const MapDraft map = draft(graph, node);
  for (std::size_t i = 0; i < map.inputs.size(); ++i) {
    if (const auto folded = fold_behind(graph, map, i)) return folded;
    if (!graph.made_by<Map>(map.inputs[i]) || !graph.has_one_reader(map.inputs[i])) continue;
    MapDraft both = map;
    absorb(graph, both, i);
    for (const ValueId source : graph.producer(map.inputs[i])->inputs) {
      const auto place = std::ranges::find(both.inputs, source) - both.inputs.begin();
      if (const auto folded = fold_behind(graph, both, static_cast<std::size_t>(place))) return folded;
    }
  }
  return std::nullopt;
}

// What a convolution gives for an input of one number a channel, when nothing is padded: [m, 1...].
ValueId constant_part(Rewriter& graph, const Channels& channels, ValueId numbers) {
  const ValueId products = times(graph, channels, numbers);
  std::vector<int> axes;
  for (int axis = 2; axis < graph.rank(products); ++axis) axes.push_back(axis);
  Shape shape(graph.shape(channels.weights).size() - 1, 1);
  shape.front() = graph.shape(channels.weights).front();
  return graph.add(Reshape{shape}, {graph.add(Reduce{Reduction::Sum, axes}, {products})});
}

bool is_padded(const Window& window) {
  const auto is_positive = [](std::int64_t padding) { return padding > 0; };
  return std::ranges::any_of(window.before, is_positive) ||
         std::ranges::any_of(window.after, is_positive);
}

// conv(scale * x + shift, w) -> conv(x, scale * w) + conv(shift, w). Padding is 0 behind the Map, so
// that a shift would have to be absent there.
std::optional<ValueId> fold_in_front(Rewriter& graph, const Node& node) {
  const auto& conv = std::get<Conv>(node.op);
  const ValueId input = node.inputs[0], weights = node.inputs[1];
  if (conv.window.layout != Layout::ChannelsFirst || !graph.constant_of(weights) ||
      !graph.made_by<Map>(input) || !graph.has_one_reader(input))
    return std::nullopt;
  const MapDraft map = draft(graph, *graph.producer(input));
  for (std::size_t i = 0; i < map.inputs.size(); ++i) {
    const auto line =
        graph.constant_of(map.inputs[i]) ? std::nullopt : affine(map.body, map.operands[i]);
    if (!line || graph.shape(map.inputs[i]) != map.shape) continue;
    const bool is_shifted = !is_number(line->shift, 0);
    if (is_shifted && is_padded(conv.window)) continue;
    const auto scale = along(graph, value_of(graph, map, line->scale), map.shape, 1);
    const auto shift = along(graph, value_of(graph, map, line->shift), map.shape, 1);
    if (!scale || !shift) continue;
    const Channels channels{weights, conv.groups, 2};
    const ValueId result = graph.add(conv, {map.inputs[i], scaled(graph, channels, *scale)});
    if (!is_shifted) return result;
    return graph.map({result, constant_part(graph, channels, *shift)},
                     [](const auto& x) { return x[0] + x[1]; });
  }
  return std::nullopt;
}

std::optional<ValueId> fold(Rewriter& graph, const Node& node) {
  if (std::holds_alternative<Map>(node.op)) return fold_behind(graph, node);
  if (std::holds_alternative<Conv>(node.op)) return fold_in_front(graph, node);
  return std::nullopt;
}

}  // namespace

Graph fold_normalisation(const Graph& graph) { return rewrite(graph, fold); }

}  // namespace hone::graph
