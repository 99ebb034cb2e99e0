#include "tune/handovers.h"

#include <algorithm>
#include <map>

#include "graph/groups.h"
#include "graph/layout.h"

namespace hone::tune {
namespace {

using graph::ValueId;

// What has fewer is spread over the others, and small.
constexpr std::size_t kFewestDimensions = 3;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class Search {
 public:
  Search(const graph::Graph& graph, const std::vector<Place>& places)
      : graph_(graph), group_(graph.nodes.size(), -1), place_(graph.nodes.size(), -1) {
    const std::vector<graph::Group> groups = graph::fuse(graph);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (const int n : groups[g].nodes) group_[at(n)] = static_cast<int>(g);
    }
    for (std::size_t p = 0; p < places.size(); ++p) {
      if (!has_layouts(places[p])) continue;
      const int group = group_[at(places[p].node)];
      for (const int n : groups[at(group)].nodes) place_[at(n)] = static_cast<int>(p);
    }
  }

  std::map<ValueId, Handover> run() {
    for (const ValueId value : graph_.inputs) found_[value].is_last_elsewhere = true;
    for (int n = 0; n < static_cast<int>(graph_.nodes.size()); ++n) {
      const graph::Node& node = graph_.nodes[at(n)];
      for (const ValueId value : node.inputs) reads(n, value);
      for (const ValueId value : node.outputs) makes(n, value);
    }
    for (const ValueId value : graph_.outputs) found_[value].is_last_elsewhere = true;
    std::erase_if(found_, [](const auto& entry) { return entry.second.places.empty(); });
    return std::move(found_);
  }

 private:
  bool is_transposition(const graph::Node& node, bool to_last) const {
    const auto* transpose = std::get_if<graph::Transpose>(&node.op);
    if (transpose == nullptr) return false;
    const graph::Order order = graph::channels_last(transpose->order.size());
    return transpose->order == (to_last ? order : graph::inverse(order));
  }

  void reads(int n, ValueId value) {
    if (graph_.values[at(value)].constant) return;
    const graph::Node& node = graph_.nodes[at(n)];
    Handover& handover = found_[value];
    if (const int place = place_[at(n)]; place >= 0) {
      // Its own transposition goes with its layout: it reads the value as it is in both.
      if (std::holds_alternative<graph::Transpose>(node.op)) {
        handover.is_last_elsewhere = true;
      } else if (!is_inner(value, group_[at(n)])) {
        add(handover, place);
      }
    } else if (is_transposition(node, false)) {
      handover.is_first_elsewhere = true;
    } else {
      handover.is_last_elsewhere = true;
    }
  }

  void makes(int n, ValueId value) {
    maker_group_[value] = group_[at(n)];
    const graph::Node& node = graph_.nodes[at(n)];
    Handover& handover = found_[value];
    if (const int place = place_[at(n)]; place >= 0) {
      if (!std::holds_alternative<graph::Transpose>(node.op)) add(handover, place);
    } else if (is_transposition(node, true)) {
      handover.is_first_elsewhere = true;
    } else {
      handover.is_last_elsewhere = true;
    }
  }

  static void add(Handover& handover, int place) {
    if (std::ranges::count(handover.places, place) == 0) handover.places.push_back(place);
  }

  bool is_inner(ValueId value, int group) const {
    const auto maker = maker_group_.find(value);
    return maker != maker_group_.end() && maker->second == group;
  }

  const graph::Graph& graph_;
  std::vector<int> group_, place_;  // of a node; -1: none
  std::map<ValueId, int> maker_group_;
  std::map<ValueId, Handover> found_;
};

}  // namespace

std::vector<Handover> handovers(const graph::Graph& graph, const std::vector<Place>& places,
                                const ConversionOf& conversion_of) {
  std::vector<Handover> all;
  for (auto& [value, handover] : Search(graph, places).run()) {
    const graph::ValueType& type = graph.values[at(value)].type;
    if (type.shape.size() < kFewestDimensions) continue;
    // One place alone, that makes what nobody else reads as it is, hands nothing over.
    if (handover.places.size() + (handover.is_last_elsewhere ? 1 : 0) +
            (handover.is_first_elsewhere ? 1 : 0) <
        2)
      continue;
    const auto conversion_to = [&](graph::Form form) {
      const bool is_offered =
          std::ranges::any_of(handover.places, [&](int p) { return has_form(places[at(p)], form); });
      return is_offered ? conversion_of(type, form) : -1;
    };
    handover.to_first = conversion_to(graph::Form::ChannelsFirst);
    handover.to_blocks = conversion_to(graph::Form::Blocked);
    all.push_back(handover);
  }
  return all;
}

}  // namespace hone::tune
