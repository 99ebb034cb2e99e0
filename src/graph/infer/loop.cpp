#include "graph/infer/rules.h"

namespace hone::graph {
namespace {

const ValueType& type_in(const Graph& graph, ValueId id) {
  return graph.values[static_cast<std::size_t>(id)].type;
}

// The body's input that takes one slice of `input` an iteration.
ValueType slice_of(const ValueType& input, std::int64_t trips) {
  if (input.shape.empty() || input.shape.front() != trips)
    refuse("{} has no slice for each of {} iterations", print(input), trips);
  return {input.type, Shape(input.shape.begin() + 1, input.shape.end())};
}

}  // namespace

Types infer_types(const Loop& op, Inputs inputs) {
  if (!op.body) refuse("has no body");
  const Graph& body = *op.body;
  require_inputs(inputs, body.inputs.size());
  if (op.trips < 0 || op.trips > kMaxElements) refuse("cannot run {} times", op.trips);
  if (op.carried < 0 || op.scanned < 0 || op.scanned > static_cast<std::int64_t>(inputs.size()) ||
      op.carried > static_cast<std::int64_t>(inputs.size()) - op.scanned)
    refuse("{} carried and {} scanned values are not among {} inputs", op.carried, op.scanned,
           inputs.size());
  const auto carried = static_cast<std::size_t>(op.carried),
             scanned = static_cast<std::size_t>(op.scanned);
  if (carried > body.outputs.size()) refuse("its body does not give the carried values");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool is_scanned = i >= carried && i < carried + scanned;
    const ValueType given = is_scanned ? slice_of(inputs[i], op.trips) : inputs[i];
    const ValueType& taken = type_in(body, body.inputs[i]);
    if (given != taken) refuse("its body takes {} for input {}, not {}", print(taken), i, print(given));
  }
  Types types;
  for (std::size_t i = 0; i < body.outputs.size(); ++i) {
    ValueType type = type_in(body, body.outputs[i]);
    if (i < carried) {
      if (type != inputs[i])
        refuse("carried value {} begins as {} and becomes {}", i, print(inputs[i]), print(type));
    } else {
      type.shape.insert(type.shape.begin(), op.trips);
    }
    types.push_back(std::move(type));
  }
  return types;
}

}  // namespace hone::graph
