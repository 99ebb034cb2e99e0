#include "graph/evaluate.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/match.h"
#include "graph/blocks.h"
#include "graph/evaluate/operators.h"
#include "graph/layout.h"
#include "graph/print.h"

namespace hone::graph {
namespace {

ValueType type_of(const Tensor& tensor) { return {tensor.type(), tensor.shape()}; }

// Values of a graph while it runs; each is forgotten after its last use, because activations add up.
class Values {
 public:
  explicit Values(const Graph& graph)
      : graph_(graph), values_(graph.values.size()), uses_(values_.size()) {
    for (const Node& node : graph.nodes) {
      for (const ValueId id : node.inputs) ++uses_[index(id)];
    }
    for (const ValueId id : graph.outputs) ++uses_[index(id)];
  }

  void give(ValueId id, Tensor tensor) { values_[index(id)] = std::move(tensor); }

  Tensor take(ValueId id) {
    if (const auto& constant = graph_.values[index(id)].constant) return *constant;
    check(values_[index(id)].has_value(), "a value is known before it is used");
    Tensor tensor = *values_[index(id)];
    if (--uses_[index(id)] == 0) values_[index(id)].reset();
    return tensor;
  }

 private:
  static std::size_t index(ValueId id) { return static_cast<std::size_t>(id); }

  const Graph& graph_;
  std::vector<std::optional<Tensor>> values_;
  std::vector<int> uses_;
};

void require_inputs_of(const Graph& graph, std::span<const Tensor> inputs) {
  if (inputs.size() != graph.inputs.size())
    throw UserError(
        fmt::format("the graph takes {} inputs, not {}", graph.inputs.size(), inputs.size()));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Value& input = graph.values[static_cast<std::size_t>(graph.inputs[i])];
    if (type_of(inputs[i]) != input.type) {
      throw UserError(fmt::format("input '{}' is {}, not {}", input.name, print(input.type),
                                  print(type_of(inputs[i]))));
    }
  }
}

Tensor transposed(const Tensor& tensor, const Order& order) {
  return evaluate(Transpose{order}, std::span(&tensor, 1)).front();
}

Tensors evaluate_relaid(const Relaid& relaid, std::span<const Tensor> inputs) {
  Tensors reordered;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    reordered.push_back(transposed(inputs[i], relaid.inputs[i]));
  return {transposed(evaluate(relaid.op, reordered).front(), relaid.output)};
}

Tensor reshaped(const Tensor& tensor, const Shape& shape) {
  return evaluate(Reshape{shape}, std::span(&tensor, 1)).front();
}

Tensors evaluate_blocked(const Operator& op, std::span<const Tensor> inputs) {
  std::vector<Shape> shapes;
  for (const Tensor& input : inputs) shapes.push_back(input.shape());
  const Unblocked last = unblocked(op, shapes);
  Tensors joined;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    joined.push_back(reshaped(transposed(inputs[i], last.inputs[i].order), last.inputs[i].joined));
  const Tensor result = evaluate(last.op, joined).front();
  const ToBlocks to =
      image_to_blocks(result.shape(), identity_order(result.shape().size()), last.block);
  return {transposed(reshaped(result, to.split), to.order)};
}

}  // namespace

std::vector<Tensor> evaluate(const Operator& op, std::span<const Tensor> inputs) {
  std::vector<ValueType> input_types;
  for (const Tensor& input : inputs) input_types.push_back(type_of(input));
  const std::vector<ValueType> types = infer(op, input_types);
  if (is_blocked(op)) return evaluate_blocked(op, inputs);
  if (const auto relaid = in_layout(op, Layout::ChannelsFirst)) return evaluate_relaid(*relaid, inputs);
  try {
    return hone::match(op, [&](const auto& kind) { return evaluate_op(kind, inputs, types); });
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", name_of(op), error.what()), error.hint());
  }
}

std::vector<Tensor> evaluate(const Graph& graph, std::span<const Tensor> inputs) {
  require_inputs_of(graph, inputs);
  Values values(graph);
  for (std::size_t i = 0; i < inputs.size(); ++i) values.give(graph.inputs[i], inputs[i]);
  for (const Node& node : graph.nodes) {
    Tensors operands;
    for (const ValueId id : node.inputs) operands.push_back(values.take(id));
    Tensors results = evaluate(node.op, operands);
    for (std::size_t i = 0; i < results.size(); ++i)
      values.give(node.outputs[i], std::move(results[i]));
  }
  Tensors outputs;
  for (const ValueId id : graph.outputs) outputs.push_back(values.take(id));
  return outputs;
}

Tensors evaluate_op(const Loop& op, Operands inputs, OutputTypes types) {
  const auto carried = static_cast<std::size_t>(op.carried),
             scanned = static_cast<std::size_t>(op.scanned);
  Tensors state(inputs.begin(), inputs.begin() + op.carried);
  Tensors stacked;
  for (const ValueType& type : types.subspan(carried))
    stacked.push_back(Tensor::zeros(type.type, type.shape));
  for (std::int64_t trip = 0; trip < op.trips; ++trip) {
    const auto at = static_cast<std::size_t>(op.reverse ? op.trips - 1 - trip : trip);
    Tensors operands = state;
    for (const Tensor& input : inputs.subspan(carried, scanned)) {
      Tensor slice = Tensor::zeros(input.type(), Shape(input.shape().begin() + 1, input.shape().end()));
      const std::span<std::byte> bytes = slice.writable();
      std::ranges::copy(input.bytes().subspan(at * bytes.size(), bytes.size()), bytes.begin());
      operands.push_back(std::move(slice));
    }
    operands.insert(operands.end(), inputs.begin() + op.carried + op.scanned, inputs.end());
    Tensors results = evaluate(*op.body, operands);
    for (std::size_t i = 0; i < stacked.size(); ++i) {
      const std::span<const std::byte> slice = results[carried + i].bytes();
      std::ranges::copy(slice, stacked[i].writable().subspan(at * slice.size()).begin());
    }
    results.resize(carried);
    state = std::move(results);
  }
  state.insert(state.end(), stacked.begin(), stacked.end());
  return state;
}

}  // namespace hone::graph
