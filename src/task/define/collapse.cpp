#include <algorithm>

#include "task/define/piece.h"

namespace hone::task::define {
namespace {

using graph::Shape;
using graph::ValueId;

// Dimensions of the piece as a whole, counted from the last: those of shorter values are the last ones.
class Collapse {
 public:
  explicit Collapse(Piece& piece) : piece_(piece) {}

  void run() {
    if (!is_possible()) return;
    find_extents();
    find_merged();
    for (graph::Node& node : piece_.nodes) {
      if (auto* reduce = std::get_if<graph::Reduce>(&node.op)) collapse_axes(node, *reduce);
    }
    for (auto& [value, shape] : piece_.shapes) shape = collapsed(value);
  }

 private:
  // One product at most, as the first node, whose factors nobody else reads: all other values are as
  // its result.
  bool is_possible() {
    for (const graph::Node& node : piece_.nodes) {
      const bool is_product = std::holds_alternative<graph::MatMul>(node.op);
      const bool is_first = &node == &piece_.nodes.front();
      const bool is_plain =
          std::holds_alternative<graph::Map>(node.op) || std::holds_alternative<graph::Reduce>(node.op);
      if (is_product ? !is_first : !is_plain) return false;
      if (is_product) product_ = &node;
      const auto is_factor_too = [&](ValueId v) { return is_factor(v, 0) || is_factor(v, 1); };
      if (!is_first && std::ranges::any_of(node.inputs, is_factor_too)) return false;
    }
    return product_ == nullptr || product_->inputs[0] != product_->inputs[1];
  }

  const Shape& shape(ValueId value) const { return piece_.shapes.at(value); }

  void find_extents() {
    for (const auto& [value, shape] : piece_.shapes) rank_ = std::max(rank_, shape.size());
    extents_.assign(rank_, 1);
    for (const auto& [value, shape] : piece_.shapes) {
      for (std::size_t d = 0; d < rank_; ++d) {
        extents_[d] = std::max(extents_[d], aligned(value, d));
      }
    }
  }

  bool is_factor(ValueId value, std::size_t input) const {
    return product_ != nullptr && product_->inputs[input] == value;
  }

  // A product's factors have no part in each other's columns and rows.
  bool is_foreign(ValueId value, std::size_t d) const {
    return (is_factor(value, 0) && d == rank_ - 1) || (is_factor(value, 1) && d == rank_ - 2);
  }

  // The value's extent along a dimension of the piece; 1 where it has none.
  std::int64_t aligned(ValueId value, std::size_t d) const {
    if (is_foreign(value, d)) return 1;
    const Shape& own = shape(value);
    const std::size_t missing = rank_ - own.size();
    return d < missing ? 1 : own[d - missing];
  }

  bool spans(ValueId value, std::size_t d) const {
    return !is_foreign(value, d) && aligned(value, d) == extents_[d];
  }

  // Whether it comes from outside and only maps, which spread it over their result, read it.
  bool is_spread(ValueId value) const {
    return std::ranges::all_of(piece_.nodes, [&](const graph::Node& node) {
      return node.outputs.front() != value &&
             (std::ranges::find(node.inputs, value) == node.inputs.end() ||
              std::holds_alternative<graph::Map>(node.op));
    });
  }

  bool is_left_out(std::size_t d) const {
    const bool is_matrix = product_ != nullptr && d + 2 >= rank_;
    return extents_[d] == 1 && !is_matrix;
  }

  void find_merged() {
    std::size_t last = rank_;  // the last dimension that stays
    for (std::size_t d = 0; d < rank_; ++d) {
      if (is_left_out(d)) continue;
      const bool joins = last < rank_ && std::ranges::all_of(
                                             piece_.shapes,
                                             [&](const auto& entry) {
                                               return spans(entry.first, last) == spans(entry.first, d);
                                             });
      if (!joins) merged_.emplace_back();
      merged_.back().push_back(d);
      last = d;
    }
  }

  Shape collapsed(ValueId value) const {
    Shape result;
    for (const std::vector<std::size_t>& dims : merged_) {
      std::int64_t extent = 1;
      for (const std::size_t d : dims) extent *= aligned(value, d);
      result.push_back(extent);
    }
    const Shape& own = shape(value);
    if (is_factor(value, 0)) result.back() = own.back();
    // A bias of one dimension stays one.
    while (is_spread(value) && result.size() > own.size() && result.front() == 1) {
      result.erase(result.begin());
    }
    if (is_factor(value, 1)) {
      // Rows of the result that were joined with its batch are none of this factor's dimensions.
      result.erase(result.end() - 2, result.end());
      while (!result.empty() && result.front() == 1) result.erase(result.begin());
      result.insert(result.end(), own.end() - 2, own.end());
    }
    return result;
  }

  void collapse_axes(const graph::Node& node, graph::Reduce& reduce) const {
    const std::size_t missing = rank_ - shape(node.inputs.front()).size();
    std::vector<int> axes;
    for (std::size_t m = 0; m < merged_.size(); ++m) {
      const bool is_reduced = std::ranges::any_of(reduce.axes, [&](int axis) {
        return static_cast<std::size_t>(axis) + missing == merged_[m].front();
      });
      if (is_reduced) axes.push_back(static_cast<int>(m));
    }
    reduce.axes = std::move(axes);
  }

  Piece& piece_;
  const graph::Node* product_ = nullptr;
  std::size_t rank_ = 0;
  Shape extents_;                                 // the largest along each dimension
  std::vector<std::vector<std::size_t>> merged_;  // dimensions that become one
};

}  // namespace

void collapse(Piece& piece) { Collapse(piece).run(); }

}  // namespace hone::task::define
