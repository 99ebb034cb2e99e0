#include "graph/groups.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/error.h"
#include "graph/attention.h"

namespace hone::graph {
namespace {

// A task of more nodes takes longer to compile than it saves.
constexpr std::size_t kMostNodes = 32;
// The colours of a picture: a convolution reads them one by one wherever they lie.
constexpr std::int64_t kFewChannels = 4;
constexpr std::size_t kFewInputs = 4;  // of a concatenation

template <class... Kinds>
bool is_any(const Operator& op) {
  return (std::holds_alternative<Kinds>(op) || ...);
}

bool is_map(const Node& node) { return is_any<Map>(node.op); }
bool is_alone(const Node& node) {
  return is_any<TopK, Loop>(node.op) || (is_any<Concat>(node.op) && node.inputs.size() > kFewInputs);
}
bool is_anchor(const Node& node) {
  return is_any<Conv, ConvTranspose, Pool, MatMul, Einsum, ArgReduce, CumSum>(node.op);
}

class Fusion {
 public:
  explicit Fusion(const Graph& graph)
      : graph_(graph),
        maker_(graph.values.size(), -1),
        readers_(graph.values.size()),
        group_of_(graph.nodes.size(), -1) {
    for (int n = 0; n < n_nodes(); ++n) {
      for (const ValueId value : node(n).outputs) maker_[at(value)] = n;
      for (const ValueId value : node(n).inputs) readers_[at(value)].push_back(n);
    }
    is_result_.assign(graph.values.size(), false);
    for (const ValueId value : graph.outputs) is_result_[at(value)] = true;
  }

  std::vector<Group> run() {
    for (int n = 0; n < n_nodes(); ++n) {
      const auto* product = std::get_if<MatMul>(&node(n).op);
      if (product != nullptr && product->takes_scores) take_attention(n);
    }
    // What computes most takes first; the later of two convolutions takes the sum of both.
    for (int n = n_nodes(); n-- > 0;) {
      if (is_free(n) && is_anchor(node(n))) grow(n, &Fusion::follows_anchor);
    }
    for (int n = 0; n < n_nodes(); ++n) {
      if (is_free(n) && is_any<Reduce>(node(n).op)) grow(n, &Fusion::follows_rows);
    }
    for (int n = 0; n < n_nodes(); ++n) {
      if (is_free(n)) grow(n, &Fusion::follows_chain);
    }
    std::ranges::sort(groups_, {}, [](const Group& group) { return group.nodes.back(); });
    return std::move(groups_);
  }

 private:
  using Follows = bool (Fusion::*)(int first, int next) const;

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int n_nodes() const { return static_cast<int>(graph_.nodes.size()); }
  const Node& node(int n) const { return graph_.nodes[at(n)]; }
  const Shape& shape(ValueId value) const { return graph_.values[at(value)].type.shape; }
  const Shape& result_shape(int n) const { return shape(node(n).outputs.front()); }

  // Nodes that a group may still take: not in one, no view, and there is something to compute.
  bool is_free(int n) const {
    return group_of_[at(n)] < 0 && !is_any<Reshape>(node(n).op) &&
           std::ranges::any_of(
               node(n).outputs, [&](ValueId value) { return model::elements(shape(value)) > 0; });
  }

  // Functions of elements as large as what the anchor gives, and the order in which a product's
  // elements are wanted.
  bool follows_anchor(int first, int next) const {
    const bool is_transposed = is_any<MatMul>(node(first).op) && is_any<Transpose>(node(next).op) &&
                               node(next).inputs.front() == node(first).outputs.front();
    return is_transposed || (is_map(node(next)) && result_shape(next) == result_shape(first));
  }

  // Over the rows of the first reduction: other reductions of them, and functions of their elements or
  // of one number a row.
  bool follows_rows(int first, int next) const {
    const Shape& whole = shape(node(first).inputs.front());
    if (is_map(node(next))) {
      return result_shape(next) == whole || result_shape(next) == result_shape(first);
    }
    const auto* one = std::get_if<Reduce>(&node(first).op);
    const auto* other = std::get_if<Reduce>(&node(next).op);
    return other != nullptr && other->axes == one->axes && shape(node(next).inputs.front()) == whole;
  }

  // What is computed is never spread: that would compute it again for every copy.
  bool follows_chain(int first, int next) const {
    if (is_alone(node(first)) || is_alone(node(next)) || is_anchor(node(next))) return false;
    if (joins_anchors(node(first))) return false;
    return !is_any<Reduce, Concat>(node(next).op) &&
           model::elements(result_shape(next)) <= model::elements(result_shape(first));
  }

  // A concatenation of what anchors give, which they can write where it lies in the whole.
  bool joins_anchors(const Node& concat) const {
    return is_any<Concat>(concat.op) && std::ranges::all_of(concat.inputs, [&](ValueId value) {
             const int maker = maker_[at(value)];
             if (maker < 0 || group_of_[at(maker)] < 0) return false;
             return std::ranges::any_of(groups_[at(group_of_[at(maker)])].nodes, [&](int n) {
               return is_anchor(node(n)) || is_any<Concat>(node(n).op);
             });
           });
  }

  // Elements that only change their places on the way into the node that reads them.
  bool leads_to(int n, int reader) const {
    const Operator& op = node(n).op;
    if (is_any<MatMul, Einsum>(node(reader).op)) return is_any<Transpose, Expand, Slice>(op);
    if (is_any<Reduce>(node(reader).op)) return is_any<Transpose, Slice, Map>(op);
    const auto* conv = std::get_if<Conv>(&node(reader).op);
    if (conv != nullptr && is_any<Transpose>(op)) {
      const Shape& image = shape(node(reader).inputs.front());
      return conv->window.layout != Layout::ChannelsFirst && image.back() <= kFewChannels &&
             (conv->window.layout != Layout::Blocked || image[1] == 1);
    }
    const auto* pad = std::get_if<Pad>(&op);
    return pad != nullptr && is_any<Conv, Pool>(node(reader).op) && pad->mode == PadMode::Constant;
  }

  // The group that begins with a node: what leads to it, itself, and as many of the nodes that follow
  // as leave one result.
  void grow(int first, Follows follows) {
    std::set<int> members = {first};
    take_leading(first, members);
    std::set<int> best = members;
    std::set<int> waiting;  // nodes outside that need something of the group's
    for (int n = first + 1; n < n_nodes() && n <= last_reader(members); ++n) {
      const auto reads = [&](const std::set<int>& nodes) {
        return std::ranges::any_of(node(n).inputs,
                                   [&](ValueId value) { return nodes.contains(maker_[at(value)]); });
      };
      const bool reads_waiting = reads(waiting);
      if (!reads_waiting && !reads(members)) continue;
      if (reads_waiting || !is_free(n) || members.size() == kMostNodes || !(this->*follows)(first, n)) {
        waiting.insert(n);
        continue;
      }
      members.insert(n);
      if (has_one_result(members)) best = members;
    }
    for (const int n : best) group_of_[at(n)] = static_cast<int>(groups_.size());
    groups_.push_back({{best.begin(), best.end()}});
  }

  // All of it, with the transposes around its products.
  void take_attention(int last) {
    const std::vector<int> inner = attention_of(graph_, last);
    std::set<int> members(inner.begin(), inner.end());
    for (const int n : inner) {
      if (is_any<MatMul>(node(n).op)) take_leading(n, members);
    }
    const std::vector<int>& readers = readers_[at(node(last).outputs.front())];
    const bool is_inner = !is_result_[at(node(last).outputs.front())] && readers.size() == 1;
    if (is_inner && is_free(readers[0]) && is_any<Transpose>(node(readers[0]).op))
      members.insert(readers[0]);
    for (const int n : members) group_of_[at(n)] = static_cast<int>(groups_.size());
    groups_.push_back({{members.begin(), members.end()}});
  }

  void take_leading(int reader, std::set<int>& members) const {
    for (const ValueId value : node(reader).inputs) {
      const int n = maker_[at(value)];
      if (n < 0 || members.contains(n) || !is_free(n) || !leads_to(n, reader)) continue;
      if (is_result_[at(value)] || readers_[at(value)].size() != 1) continue;
      members.insert(n);
    }
  }

  int last_reader(const std::set<int>& members) const {
    int last = -1;
    for (const int n : members) {
      for (const ValueId value : node(n).outputs) {
        for (const int reader : readers_[at(value)]) last = std::max(last, reader);
      }
    }
    return last;
  }

  // Whether nothing but the last node's results is used outside.
  bool has_one_result(const std::set<int>& members) const {
    return std::ranges::all_of(members, [&](int n) {
      return n == *members.rbegin() || std::ranges::all_of(node(n).outputs, [&](ValueId value) {
               return !is_result_[at(value)] && !readers_[at(value)].empty() &&
                      std::ranges::all_of(readers_[at(value)],
                                          [&](int r) { return members.contains(r); });
             });
    });
  }

  const Graph& graph_;
  std::vector<int> maker_;                 // node that makes a value, or -1
  std::vector<std::vector<int>> readers_;  // nodes that read a value
  std::vector<bool> is_result_;            // values that the graph gives
  std::vector<int> group_of_;              // of a node, or -1
  std::vector<Group> groups_;
};

}  // namespace

std::vector<Group> fuse(const Graph& graph) { return Fusion(graph).run(); }

bool is_copy(const Graph& graph, const Group& group) {
  return group.nodes.size() == 1 &&
         std::holds_alternative<Concat>(graph.nodes[static_cast<std::size_t>(group.nodes[0])].op);
}

bool is_part(const Graph& graph, const Group& group) {
  const auto* slice = std::get_if<Slice>(&graph.nodes[static_cast<std::size_t>(group.nodes[0])].op);
  if (slice == nullptr || group.nodes.size() != 1) return false;
  for (std::size_t d = 0; d < slice->steps.size(); ++d)
    if (slice->steps[d] != 1 && slice->shape[d] != 1) return false;
  return true;
}

}  // namespace hone::graph
