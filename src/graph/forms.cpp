#include "graph/forms.h"

#include <algorithm>
#include <array>
#include <set>

#include "graph/blocks.h"
#include "graph/layout.h"
#include "graph/passes.h"

namespace hone::graph {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Of a convolution or pool; null for any other node. Transposed convolutions stay channels last:
// channels first those of DCGAN take 14 times as long.
const Window* window_of(const Operator& op) {
  if (const auto* conv = std::get_if<Conv>(&op)) return &conv->window;
  const auto* pool = std::get_if<Pool>(&op);
  return pool != nullptr ? &pool->window : nullptr;
}

// Whether the dimensions of what it computes can stand in any order.
bool moves_freely(const Operator& op) {
  return std::holds_alternative<Map>(op) || std::holds_alternative<Pad>(op) ||
         std::holds_alternative<Transpose>(op);
}

// One that is channels last, and nothing else that cares where channels stand.
bool has_one_window(const Graph& graph, const Group& group) {
  int windows = 0;
  for (const int n : group.nodes) {
    const Operator& op = graph.nodes[at(n)].op;
    const Window* window = window_of(op);
    if (window == nullptr && !moves_freely(op)) return false;
    if (window == nullptr) continue;
    if (window->layout != Layout::ChannelsLast) return false;
    ++windows;
  }
  return windows == 1;
}

// A block of the output is made of blocks of the input: of all, or of the one that it comes from.
bool has_blocked_weights(const Graph& graph, const Node& node, const Conv& conv) {
  const Value& weights = graph.values[at(node.inputs[1])];
  if (!weights.constant) return false;
  const std::int64_t in = graph.values[at(node.inputs[0])].type.shape.back();
  return conv.groups == 1 || (conv.groups == in && weights.type.shape.back() == in);
}

bool fits_blocks(const Graph& graph, const Node& node) {
  if (const auto* conv = std::get_if<Conv>(&node.op)) return has_blocked_weights(graph, node, *conv);
  if (const auto* pad = std::get_if<Pad>(&node.op))
    return pad->before.back() == 0 && pad->after.back() == 0;
  return true;
}

// Whether what it reads or makes is in several blocks: one is as good as none.
bool has_blocks(const Graph& graph, const Node& node, std::int64_t lanes) {
  const auto is_cut = [&](ValueId value) {
    const std::int64_t channels = graph.values[at(value)].type.shape.back();
    return block_of(channels, lanes) < channels;
  };
  return is_cut(node.inputs.front()) || is_cut(node.outputs.front());
}

bool has_blocked(const Graph& graph, const Group& group, std::int64_t lanes) {
  if (lanes == 0 || !has_one_window(graph, group)) return false;
  const auto node = [&](int n) -> const Node& { return graph.nodes[at(n)]; };
  return std::ranges::all_of(group.nodes, [&](int n) { return fits_blocks(graph, node(n)); }) &&
         std::ranges::any_of(group.nodes, [&](int n) {
           return window_of(node(n).op) != nullptr && has_blocks(graph, node(n), lanes);
         });
}

bool takes_scores(const Operator& op) {
  const auto* product = std::get_if<MatMul>(&op);
  return product != nullptr && product->takes_scores;
}

// The nodes of groups that are to be in this form.
std::set<const Node*> nodes_in(const Graph& graph, const std::map<int, Form>& forms, Form form) {
  std::set<const Node*> nodes;
  for (const Group& group : fuse(graph)) {
    const bool is_meant = std::ranges::any_of(group.nodes, [&](int n) {
      const auto found = forms.find(n);
      return found != forms.end() && found->second == form;
    });
    if (!is_meant) continue;
    for (const int n : group.nodes) nodes.insert(&graph.nodes[at(n)]);
  }
  return nodes;
}

}  // namespace

bool is_layout(Form form) { return form == Form::ChannelsFirst || form == Form::Blocked; }

std::vector<Form> forms(const Graph& graph, const Group& group, std::int64_t lanes) {
  std::vector<Form> all = {Form::Plain};
  if (has_one_window(graph, group)) all.push_back(Form::ChannelsFirst);
  if (has_blocked(graph, group, lanes)) all.push_back(Form::Blocked);
  if (std::ranges::any_of(group.nodes, [&](int n) { return takes_scores(graph.nodes[at(n)].op); }))
    all.push_back(Form::Separate);
  return all;
}

Graph in_forms(const Graph& graph, const std::map<int, Form>& forms, std::int64_t lanes) {
  Graph separated = graph;
  for (const Node* node : nodes_in(graph, forms, Form::Separate)) {
    Node& same = separated.nodes[static_cast<std::size_t>(node - graph.nodes.data())];
    if (auto* product = std::get_if<MatMul>(&same.op)) product->takes_scores = false;
  }
  const std::set<const Node*> first = nodes_in(separated, forms, Form::ChannelsFirst),
                              blocked = nodes_in(separated, forms, Form::Blocked);
  if (first.empty() && blocked.empty()) return separated;
  const auto layout_of = [&](const Node& node) {
    if (first.contains(&node)) return Layout::ChannelsFirst;
    const Window* window = window_of(node.op);
    return window != nullptr ? window->layout : std::get<ConvTranspose>(node.op).window.layout;
  };
  const auto order_of = [&](const Node& node) -> std::optional<Order> {
    const std::size_t rank = separated.values[at(node.outputs.front())].type.shape.size();
    return first.contains(&node) ? inverse(channels_last(rank)) : identity_order(rank);
  };
  const auto lanes_of = [&](const Node& node) { return blocked.contains(&node) ? lanes : 0; };
  return run_passes(choose_layouts(separated, layout_of, order_of, lanes_of),
                    {.layout = Layout::ChannelsFirst, .join_attention = false});
}

Graph part(const Graph& graph, const Group& group) {
  Graph alone;
  alone.name = graph.name;
  std::map<ValueId, ValueId> now;
  const auto value = [&](ValueId old) {
    const auto [place, is_new] = now.try_emplace(old, static_cast<ValueId>(alone.values.size()));
    if (is_new) alone.values.push_back(graph.values[at(old)]);
    return std::pair(place->second, is_new);
  };
  for (const int n : group.nodes) {
    Node node = graph.nodes[at(n)];
    for (ValueId& id : node.inputs) {
      const auto [renumbered, is_from_outside] = value(id);
      if (is_from_outside && !alone.values[at(renumbered)].constant) alone.inputs.push_back(renumbered);
      id = renumbered;
    }
    for (ValueId& id : node.outputs) id = value(id).first;
    alone.nodes.push_back(std::move(node));
  }
  alone.outputs = alone.nodes.back().outputs;
  return alone;
}

std::string_view name_of(Form form) {
  constexpr std::array<std::string_view, 4> kNames = {"plain", "channels_first", "blocked", "separate"};
  return kNames[static_cast<std::size_t>(form)];
}

}  // namespace hone::graph
