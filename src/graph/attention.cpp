#include "graph/attention.h"

#include <algorithm>
#include <set>

namespace hone::graph {
namespace {

class Search {
 public:
  explicit Search(const Graph& graph) : graph_(graph), maker_(graph.values.size(), -1) {
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
      for (const ValueId value : graph.nodes[n].outputs) maker_[at(value)] = static_cast<int>(n);
    }
  }

  std::vector<int> from(int product) {
    const Node& last = node(product);
    if (!std::holds_alternative<MatMul>(last.op)) return {};
    scores_ = shape(last.inputs.front());
    found_ = {product};
    if (!add(last.inputs.front()) || !has_scores_ || !is_reduced_) return {};
    if (is_read_elsewhere(product)) return {};
    return {found_.begin(), found_.end()};
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  const Node& node(int n) const { return graph_.nodes[at(n)]; }
  const Shape& shape(ValueId value) const { return graph_.values[at(value)].type.shape; }

  bool is_row_value(ValueId value) const {
    Shape rows = scores_;
    rows.back() = 1;
    return shape(value) == scores_ || shape(value) == rows;
  }

  // What makes the value, back to the product; false where that is anything but functions of rows.
  bool add(ValueId value) {
    const int n = maker_[at(value)];
    if (n < 0 || found_.contains(n)) return true;
    const Node& maker = node(n);
    if (std::holds_alternative<MatMul>(maker.op)) {
      has_scores_ = true;
      found_.insert(n);
      return shape(value) == scores_;
    }
    const auto* reduce = std::get_if<Reduce>(&maker.op);
    const bool is_along_rows =
        reduce != nullptr && reduce->axes == std::vector{static_cast<int>(scores_.size()) - 1};
    if (!is_along_rows && !std::holds_alternative<Map>(maker.op)) return false;
    found_.insert(n);
    is_reduced_ |= is_along_rows;
    // Others, such as a mask, come from outside.
    return std::ranges::all_of(maker.inputs, [&](ValueId v) { return !is_row_value(v) || add(v); });
  }

  bool is_read_elsewhere(int product) const {
    const auto is_inner = [&](ValueId value) {
      const int n = maker_[at(value)];
      return n != product && found_.contains(n);
    };
    if (std::ranges::any_of(graph_.outputs, is_inner)) return true;
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (found_.contains(static_cast<int>(n))) continue;
      if (std::ranges::any_of(graph_.nodes[n].inputs, is_inner)) return true;
    }
    return false;
  }

  const Graph& graph_;
  std::vector<int> maker_;  // node that makes a value, or -1
  Shape scores_;
  bool has_scores_ = false, is_reduced_ = false;
  std::set<int> found_;
};

}  // namespace

std::vector<int> attention_of(const Graph& graph, int product) { return Search(graph).from(product); }

}  // namespace hone::graph
