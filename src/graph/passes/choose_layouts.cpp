// Brings each convolution to a layout, with as few transpositions as the graph allows.
//
// Each value is held in an order of its dimensions that its producer chose: convolutions write in their
// layout, and operators that do not care, pools among them, follow one of their inputs. A value is
// transposed where somebody needs it in another order, once for all who do. Transposes of the model
// itself cost nothing here: they only change what the order means in which a value is held. Blocks are
// of the last dimension of that order.
#include <algorithm>
#include <map>

#include "base/match.h"
#include "graph/blocks.h"
#include "graph/layout.h"
#include "graph/passes.h"
#include "graph/passes/reshaped_order.h"
#include "graph/passes/rewriter.h"

namespace hone::graph {
namespace {

// The operator on inputs whose dimensions were put into an order, giving its output in that order too.
// Nothing when it has no such form.
std::optional<Operator> reordered(const Operator& op, const Order& order) {
  using Result = std::optional<Operator>;
  const Order places = inverse(order);
  const auto place = [&](int axis) { return places[static_cast<std::size_t>(axis)]; };
  const auto with_axis = [&](auto kind) -> Result {
    kind.axis = place(kind.axis);
    return kind;
  };
  return hone::match(
      op, [](const Map& map) -> Result { return map; },
      [&](Reduce reduce) -> Result {
        std::ranges::transform(reduce.axes, reduce.axes.begin(), place);
        std::ranges::sort(reduce.axes);
        return reduce;
      },
      [&](const ArgReduce& reduce) { return with_axis(reduce); },
      [&](const CumSum& sum) { return with_axis(sum); },
      [&](const Concat& concat) { return with_axis(concat); },
      [&](const Pool& pool) -> Result {
        if (is_blocked(pool)) return std::nullopt;
        const bool is_last = pool.window.layout == Layout::ChannelsLast;
        const auto other = in_layout(pool, is_last ? Layout::ChannelsFirst : Layout::ChannelsLast);
        return order == other->inputs.front() ? Result(other->op) : std::nullopt;
      },
      [&](const Expand& expand) -> Result { return Expand{permuted(expand.shape, order)}; },
      [&](const Slice& s) -> Result {
        return Slice{permuted(s.starts, order), permuted(s.steps, order), permuted(s.shape, order)};
      },
      [&](const Pad& p) -> Result {
        return Pad{p.mode, permuted(p.before, order), permuted(p.after, order), p.value};
      },
      [&](const Resize& r) -> Result {
        return Resize{r.linear, r.rounding, permuted(r.scales, order), permuted(r.offsets, order),
                      permuted(r.shape, order)};
      },
      [](const auto&) -> Result { return std::nullopt; });
}

class Relayout {
 public:
  Relayout(const Graph& graph, const LayoutOf& layout_of, const OrderOf& order_of,
           const LanesOf& lanes_of)
      : graph_(graph), layout_of_(layout_of), order_of_(order_of), lanes_of_(lanes_of), next_(graph) {}
  Graph run();

 private:
  // A value of the new graph that is the old one, its dimensions put into an order.
  struct Held {
    ValueId id;
    Order order;
    bool is_blocked = false;
  };

  const Value& value(ValueId old) const { return graph_.values[static_cast<std::size_t>(old)]; }
  const Shape& shape(ValueId old) const { return value(old).type.shape; }
  Order plain(ValueId old) const { return identity_order(shape(old).size()); }
  // As its producer wrote it.
  Held held(ValueId old) const;
  ValueId in_order(ValueId old, const Order& order);
  ValueId broadcast_in_order(ValueId old, const Order& order);
  // How much an operator would have to transpose to compute in an order.
  std::int64_t elements_to_move(const Node& node, const Order& order) const;
  // The order that is asked for, or that of one of its inputs in which it is the least; another than
  // the model's when nothing else decides.
  Order order_to_follow(const Node& node) const;

  std::optional<Relaid> relaid_convolution(const Node& node) const;
  Held convolve(const Node& node, const Relaid& relaid);
  Held transpose(const Node& node, const Transpose& op) const;
  Held reshape(const Node& node, const Reshape& op);
  Held einsum(const Node& node, Einsum op);
  std::optional<Held> follow(const Node& node);
  void keep(const Node& node);

  ValueId split(ValueId now, const ToBlocks& to);
  ValueId image_in_blocks(ValueId old, std::size_t rank, std::int64_t lanes);
  ValueId operand_in_blocks(const Node& node, std::size_t operand, std::int64_t lanes);
  Held block(const Node& node, std::int64_t lanes);

  const Graph& graph_;
  const LayoutOf& layout_of_;
  const OrderOf& order_of_;
  const LanesOf& lanes_of_;
  Rewriter next_;
  std::map<ValueId, Held> written_;                      // by old values of nodes
  std::map<std::pair<ValueId, Order>, ValueId> others_;  // further orders that somebody asked for
  std::map<ValueId, ValueId> blocked_;                   // in blocks, for somebody who asked
};

Relayout::Held Relayout::held(ValueId old) const {
  const auto found = written_.find(old);
  return found == written_.end() ? Held{next_.translated(old), plain(old)} : found->second;
}

ValueId Relayout::in_order(ValueId old, const Order& order) {
  const Held first = held(old);
  if (!first.is_blocked && first.order == order) return first.id;
  const auto [place, is_new] = others_.try_emplace({old, order}, -1);
  if (!is_new) return place->second;
  const Order change = permuted(inverse(first.order), order);
  if (first.is_blocked) {
    const FromBlocks from = image_from_blocks(next_.shape(first.id), change);
    place->second = next_.add(Reshape{from.joined}, {next_.add(Transpose{from.order}, {first.id})});
  } else {
    place->second = next_.add(Transpose{change}, {first.id});
  }
  return place->second;
}

// The same for an operand that may have fewer dimensions than the order, and is broadcast then.
ValueId Relayout::broadcast_in_order(ValueId old, const Order& order) {
  const std::size_t rank = shape(old).size();
  if (rank == order.size()) return in_order(old, order);
  const ValueId plainly = in_order(old, plain(old));
  if (is_identity(order) || model::elements(shape(old)) == 1) return plainly;
  Shape full = shape(old);
  full.insert(full.begin(), order.size() - rank, 1);
  return next_.add(Transpose{order}, {next_.add(Reshape{full}, {plainly})});
}

std::int64_t Relayout::elements_to_move(const Node& node, const Order& order) const {
  std::int64_t elements = 0;
  for (const ValueId id : node.inputs) {
    if (value(id).constant || shape(id).size() != order.size()) continue;
    const Held first = held(id);
    const bool is_there = (!first.is_blocked && first.order == order) || others_.contains({id, order});
    elements += is_there ? 0 : model::elements(shape(id));
  }
  return elements;
}

Order Relayout::order_to_follow(const Node& node) const {
  if (const auto asked = order_of_ ? order_of_(node) : std::nullopt) return *asked;
  Order best = identity_order(shape(node.outputs.front()).size());
  std::int64_t fewest = elements_to_move(node, best);
  for (const ValueId id : node.inputs) {
    if (value(id).constant || shape(id).size() != best.size()) continue;
    const Order order = held(id).order;
    const std::int64_t elements = elements_to_move(node, order);
    if (elements > fewest || (elements == fewest && !is_identity(best))) continue;
    best = order;
    fewest = elements;
  }
  return best;
}

// Nothing when it has its layout already.
std::optional<Relaid> Relayout::relaid_convolution(const Node& node) const {
  const bool is_convolution =
      std::holds_alternative<Conv>(node.op) || std::holds_alternative<ConvTranspose>(node.op);
  return is_convolution && !is_blocked(node.op) ? in_layout(node.op, layout_of_(node)) : std::nullopt;
}

Relayout::Held Relayout::convolve(const Node& node, const Relaid& relaid) {
  std::vector<ValueId> inputs;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    inputs.push_back(in_order(node.inputs[i], relaid.inputs[i]));
  }
  return {next_.add(relaid.op, inputs), inverse(relaid.output)};
}

Relayout::Held Relayout::transpose(const Node& node, const Transpose& op) const {
  const Held input = held(node.inputs.front());
  return {input.id, inverse(permuted(inverse(input.order), op.order)), input.is_blocked};
}

Relayout::Held Relayout::reshape(const Node& node, const Reshape& op) {
  const ValueId input = node.inputs.front();
  const auto [before, after] = reshaped_order(shape(input), op.shape, held(input).order);
  return {next_.add(Reshape{permuted(op.shape, after)}, {in_order(input, before)}), after};
}

// Labels name dimensions wherever they stand.
Relayout::Held Relayout::einsum(const Node& node, Einsum op) {
  std::vector<ValueId> inputs;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const Order order = held(node.inputs[i]).order;
    op.inputs[i] = permuted(op.inputs[i], order);
    inputs.push_back(in_order(node.inputs[i], order));
  }
  return {next_.add(op, inputs), plain(node.outputs.front())};
}

std::optional<Relayout::Held> Relayout::follow(const Node& node) {
  const Order order = order_to_follow(node);
  const auto op = reordered(node.op, order);
  if (!op) return std::nullopt;
  std::vector<ValueId> inputs;
  for (const ValueId id : node.inputs) inputs.push_back(broadcast_in_order(id, order));
  return Held{next_.add(*op, inputs), order};
}

void Relayout::keep(const Node& node) {
  Node copy = node;
  for (ValueId& id : copy.inputs) id = in_order(id, plain(id));
  const std::vector<ValueId> outputs = next_.copy(copy);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    written_[node.outputs[i]] = {outputs[i], plain(node.outputs[i])};
  }
}

ValueId Relayout::split(ValueId now, const ToBlocks& to) {
  return next_.add(Transpose{to.order}, {next_.add(Reshape{to.split}, {now})});
}

// Of a value that may have fewer dimensions than `rank` and is broadcast then.
ValueId Relayout::image_in_blocks(ValueId old, std::size_t rank, std::int64_t lanes) {
  const std::int64_t block = shape(old).empty() ? 1 : block_of(shape(old).back(), lanes);
  if (shape(old).size() < rank) {
    const ValueId plainly = in_order(old, plain(old));
    if (model::elements(shape(old)) == 1) return plainly;
    Shape full = shape(old);
    full.insert(full.begin(), rank - full.size(), 1);
    return split(plainly, image_to_blocks(full, identity_order(rank), block));
  }
  const Held first = held(old);
  if (first.is_blocked && is_identity(first.order)) return first.id;
  const auto [place, is_new] = blocked_.try_emplace(old, -1);
  if (!is_new) return place->second;
  const Order order = first.is_blocked ? plain(old) : first.order;
  place->second =
      split(in_order(old, order), image_to_blocks(permuted(shape(old), order), order, block));
  return place->second;
}

ValueId Relayout::operand_in_blocks(const Node& node, std::size_t operand, std::int64_t lanes) {
  const ValueId old = node.inputs[operand];
  if (std::holds_alternative<Conv>(node.op) && operand == 1) {
    const Shape& all = shape(old);
    const std::int64_t in = block_of(all[all.size() - 2], lanes), out = block_of(all.back(), lanes);
    return split(in_order(old, plain(old)), weights_to_blocks(all, in, out));
  }
  return image_in_blocks(old, shape(node.outputs.front()).size(), lanes);
}

Relayout::Held Relayout::block(const Node& node, std::int64_t lanes) {
  std::vector<ValueId> inputs;
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    inputs.push_back(operand_in_blocks(node, i, lanes));
  return {next_.add(in_blocks(node.op), inputs), plain(node.outputs.front()), true};
}

Graph Relayout::run() {
  for (const Node& node : graph_.nodes) {
    next_.name_after(node);
    const std::int64_t lanes = lanes_of_ ? lanes_of_(node) : 0;
    std::optional<Held> result;
    if (const auto* op = std::get_if<Transpose>(&node.op)) {
      result = transpose(node, *op);
    } else if (lanes > 0) {
      result = block(node, lanes);
    } else if (const auto* reshaping = std::get_if<Reshape>(&node.op)) {
      result = reshape(node, *reshaping);
    } else if (const auto* sum = std::get_if<Einsum>(&node.op)) {
      result = einsum(node, *sum);
    } else if (const auto relaid = relaid_convolution(node)) {
      result = convolve(node, *relaid);
    } else {
      result = follow(node);
    }
    if (result) {
      written_[node.outputs.front()] = *result;
    } else {
      keep(node);
    }
  }
  for (const ValueId id : graph_.outputs) next_.replace_output(id, in_order(id, plain(id)));
  return next_.finish();
}

}  // namespace

Graph choose_layouts(const Graph& graph, const LayoutOf& layout_of, const OrderOf& order_of,
                     const LanesOf& lanes_of) {
  return Relayout(graph, layout_of, order_of, lanes_of).run();
}

Graph to_channels_last(const Graph& graph) {
  return choose_layouts(graph, [](const Node&) { return Layout::ChannelsLast; });
}

}  // namespace hone::graph
