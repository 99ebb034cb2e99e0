// A graph made anew from another one, node by node: what every pass is written with.
#pragma once
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/builder.h"
#include "graph/graph.h"

namespace hone::graph {

// Values of the new graph are made in the order of the old one's nodes; whatever becomes constant on
// the way is worked out by the builder, and what nobody reads in the end is left out. Inputs keep their
// places, outputs their places and names.
class Rewriter {
 public:
  // Inputs and constants of the old graph are there from the beginning.
  explicit Rewriter(const Graph& from);

  // Copies, because values move when more are added.
  ValueType type(ValueId id) const { return builder_.type(id); }
  Shape shape(ValueId id) const { return builder_.type(id).shape; }
  int rank(ValueId id) const { return static_cast<int>(builder_.type(id).shape.size()); }
  std::optional<Tensor> constant_of(ValueId id) const { return builder_.constant_of(id); }
  // The node that writes a value; null for inputs and constants.
  const Node* producer(ValueId id) const;
  // The operator that writes the value, when it is of this kind.
  template <class Kind>
  const Kind* made_by(ValueId id) const {
    const Node* node = producer(id);
    return node ? std::get_if<Kind>(&node->op) : nullptr;
  }
  // Whether at most one node (or output of the graph) is going to read the value. May say no too often
  // while a pass is under way, never yes.
  bool has_one_reader(ValueId id) const;

  ValueId add(Operator op, std::vector<ValueId> inputs);
  ValueId map(std::vector<ValueId> inputs, const MapBody& body);
  ValueId constant(Tensor tensor) { return builder_.constant(std::move(tensor)); }
  ValueId scalar(double value, ir::Scalar type) { return builder_.scalar(value, type); }

  // From now on new nodes carry the old one's name.
  void name_after(const Node& old) { name_ = old.name; }
  // The old node with its inputs in the new graph; new nodes are named after it.
  Node translated(const Node& old);
  ValueId translated(ValueId old) const;
  // Adds a translated node as it is.
  std::vector<ValueId> copy(const Node& node);
  // From now on `old` is `now`.
  void replace(ValueId old, ValueId now);
  // False when `now` cannot stand for an output of the graph because it already has a name that the
  // caller of the network knows.
  bool may_replace(ValueId old, ValueId now) const;
  // The same for an output of the graph, which gets a Map of its own where it has to.
  void replace_output(ValueId old, ValueId now);

  Graph finish();

 private:
  const Graph& from_;
  Builder builder_;
  std::deque<Node> nodes_;                        // the builder's, at addresses that stay
  std::unordered_map<ValueId, Node*> producers_;  // of new values
  std::vector<ValueId> now_;                      // old value -> new one, -1 before it is known
  std::vector<int> old_readers_;                  // how many nodes and outputs read an old value
  std::unordered_map<ValueId, int> readers_;      // of new values that stand for old ones, from those
  std::unordered_map<ValueId, int> new_readers_;  // of the other new values, as nodes are added
  std::unordered_map<ValueId, ValueId> outputs_;  // new value -> the old output that it stands for
  std::string name_;
};

// The value to take in the place of a translated node, or nothing to keep the node. Only nodes with one
// output are asked about.
using Rule = std::function<std::optional<ValueId>(Rewriter&, const Node&)>;

// Applies the rule to all nodes until it has nothing more to say, or once to each.
Graph rewrite(const Graph& graph, const Rule& rule);
Graph rewrite_once(const Graph& graph, const Rule& rule);

// Without nodes and constants that no output needs. Inputs stay.
Graph without_dead(Graph graph);

}  // namespace hone::graph
