// Operators that only move elements: those that do nothing vanish, and two in a row become one.
#include <algorithm>

#include "graph/infer.h"
#include "graph/order.h"
#include "graph/passes.h"
#include "graph/passes/rewriter.h"
#include "ir/element.h"

namespace hone::graph {
namespace {

using Result = std::optional<ValueId>;

bool all_are(const std::vector<std::int64_t>& numbers, std::int64_t wanted) {
  return std::ranges::all_of(numbers, [&](std::int64_t number) { return number == wanted; });
}

// Where known indices begin and how far they are apart, all alike.
struct Progression {
  std::int64_t start, step;
};
std::optional<Progression> progression(const Tensor& indices, std::int64_t extent) {
  std::optional<Progression> result;
  std::int64_t previous = 0;
  const auto width = static_cast<std::size_t>(ir::size_bytes(indices.type()));
  for (std::int64_t i = 0; i < indices.size(); ++i) {
    const std::byte* at = indices.bytes().data() + static_cast<std::size_t>(i) * width;
    std::int64_t index = ir::read_number(indices.type(), at).i;
    if (index < 0) index += extent;
    if (index < 0 || index >= extent) return std::nullopt;
    if (i == 0) result = {index, 1};
    if (i == 1) result->step = index - previous;
    if (i > 0 && (index - previous != result->step || result->step == 0)) return std::nullopt;
    previous = index;
  }
  return result;
}

struct Simplifier {
  Rewriter& graph;
  const Node& node;

  ValueId input(std::size_t i = 0) const { return node.inputs[i]; }
  Shape shape(std::size_t i = 0) const { return graph.shape(input(i)); }
  ValueId source() const { return graph.producer(input())->inputs.front(); }  // of the input's node

  Result operator()(const Transpose& op) const {
    if (is_identity(op.order)) return input();
    if (const auto* first = graph.made_by<Transpose>(input()))
      return graph.add(Transpose{permuted(first->order, op.order)}, {source()});
    // When the dimensions that have an extent keep their order, no element moves.
    Order moved;
    for (const int d : op.order) {
      if (shape()[static_cast<std::size_t>(d)] != 1) moved.push_back(d);
    }
    if (std::ranges::is_sorted(moved))
      return graph.add(Reshape{permuted(shape(), op.order)}, {input()});
    return std::nullopt;
  }

  Result operator()(const Reshape& op) const {
    if (op.shape == shape()) return input();
    if (graph.made_by<Reshape>(input())) return graph.add(op, {source()});
    return std::nullopt;
  }

  Result operator()(const Expand& op) const {
    if (op.shape == shape()) return input();
    if (graph.made_by<Expand>(input())) return graph.add(op, {source()});
    return std::nullopt;
  }

  Result operator()(const Slice& op) const {
    if (op.shape == shape() && all_are(op.steps, 1)) return input();
    if (const auto* first = graph.made_by<Slice>(input())) {
      Slice both = op;
      for (std::size_t d = 0; d < op.shape.size(); ++d) {
        both.starts[d] = first->starts[d] + op.starts[d] * first->steps[d];
        both.steps[d] = first->steps[d] * op.steps[d];
      }
      return graph.add(both, {source()});
    }
    return slice_of_concat(op);
  }

  // Out of the only part of a concatenation that it touches.
  Result slice_of_concat(Slice op) const {
    const auto* concat = graph.made_by<Concat>(input());
    if (!concat || model::elements(op.shape) == 0) return std::nullopt;
    const auto axis = static_cast<std::size_t>(concat->axis);
    const std::int64_t first = op.starts[axis];
    const std::int64_t last = first + (op.shape[axis] - 1) * op.steps[axis];
    std::int64_t begin = 0;
    for (const ValueId part : graph.producer(input())->inputs) {
      const std::int64_t end = begin + graph.shape(part)[axis];
      if (std::min(first, last) >= begin && std::max(first, last) < end) {
        op.starts[axis] -= begin;
        return graph.add(op, {part});
      }
      begin = end;
    }
    return std::nullopt;
  }

  Result operator()(const Pad& op) const {
    return all_are(op.before, 0) && all_are(op.after, 0) ? Result(input()) : std::nullopt;
  }

  // Concatenations of concatenations are one, and parts without elements take no part.
  Result operator()(const Concat& op) const {
    const auto axis = static_cast<std::size_t>(op.axis);
    std::vector<ValueId> parts;
    for (const ValueId id : node.inputs) {
      const auto* inner = graph.made_by<Concat>(id);
      if (inner && inner->axis == op.axis && graph.has_one_reader(id)) {
        const auto& more = graph.producer(id)->inputs;
        parts.insert(parts.end(), more.begin(), more.end());
      } else if (graph.shape(id)[axis] != 0) {
        parts.push_back(id);
      }
    }
    if (parts.size() == 1) return parts.front();
    if (parts.empty() || parts == node.inputs) return std::nullopt;
    return graph.add(op, parts);
  }

  Result operator()(const Reduce& op) const {
    std::vector<int> axes;
    for (const int axis : op.axes) {
      if (shape()[static_cast<std::size_t>(axis)] != 1) axes.push_back(axis);
    }
    if (axes.empty()) return input();
    if (axes.size() == op.axes.size()) return std::nullopt;
    return graph.add(Reduce{op.reduction, axes}, {input()});
  }

  Result operator()(const Pool& op) const {
    const Window& window = op.window;
    const bool is_one_element = all_are(window.kernel, 1) && all_are(window.strides, 1) &&
                                all_are(window.before, 0) && all_are(window.after, 0);
    return is_one_element ? Result(input()) : std::nullopt;
  }

  Result operator()(const Resize& op) const {
    const bool is_in_place = std::ranges::all_of(op.scales, [](double scale) { return scale == 1; }) &&
                             std::ranges::all_of(op.offsets, [](double offset) { return offset == 0; });
    return is_in_place && op.shape == shape() ? Result(input()) : std::nullopt;
  }

  // Maps broadcast by themselves, so that an Expand in front of one goes when another input has the
  // shape; and one that gives what it gets is none.
  Result operator()(const Map& op) const {
    if (op.operands.size() == 1 && op.body.same(op.operands.front())) return input();
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (!graph.made_by<Expand>(input(i))) continue;
      std::vector<ValueId> inputs = node.inputs;
      inputs[i] = graph.producer(input(i))->inputs.front();
      Shape before, after;
      for (std::size_t k = 0; k < inputs.size(); ++k) {
        before = broadcast(before, shape(k));
        after = broadcast(after, graph.shape(inputs[k]));
      }
      if (before == after) return graph.add(op, inputs);
    }
    return std::nullopt;
  }

  // Known indices with equal steps between them are a slice.
  Result operator()(const Gather& op) const {
    const auto axis = static_cast<std::size_t>(op.axis);
    const auto indices = graph.constant_of(input(1));
    const auto found = indices ? progression(*indices, shape()[axis]) : std::nullopt;
    if (!found) return std::nullopt;
    const std::size_t rank = shape().size();
    Slice slice{std::vector<std::int64_t>(rank, 0), std::vector<std::int64_t>(rank, 1), shape()};
    slice.starts[axis] = found->start;
    slice.steps[axis] = found->step;
    slice.shape[axis] = indices->size();
    Shape result = shape();
    const Shape picked = shape(1);
    result.erase(result.begin() + op.axis);
    result.insert(result.begin() + op.axis, picked.begin(), picked.end());
    return graph.add(Reshape{result}, {graph.add(slice, {input()})});
  }

  template <class Kind>
  Result operator()(const Kind&) const {
    return std::nullopt;
  }
};

}  // namespace

Graph simplify_views(const Graph& graph) {
  return rewrite(graph, [](Rewriter& next, const Node& node) {
    return std::visit(Simplifier{next, node}, node.op);
  });
}

}  // namespace hone::graph
