#include "artefact/scope.h"

#include "base/error.h"

namespace hone::artefact {
namespace {

using graph::ValueId;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Scope::Scope(const graph::Graph& graph, Program& program, bool is_body)
    : graph_(graph), program_(program), is_body_(is_body), places_(graph.values.size()) {
  for (std::size_t v = 0; v < graph.values.size(); ++v) roots_.push_back(static_cast<ValueId>(v));
  for (const graph::Node& node : graph.nodes) {
    if (std::holds_alternative<graph::Reshape>(node.op))
      roots_[at(node.outputs[0])] = root(node.inputs[0]);
  }
  for (graph::Group& group : graph::fuse(graph)) {
    const graph::Operator& op = graph.nodes[at(group.nodes.front())].op;
    const bool is_task = !graph::is_copy(graph, group) && !std::holds_alternative<graph::TopK>(op) &&
                         !std::holds_alternative<graph::Loop>(op);
    std::optional<task::GraphTask> task;
    if (is_task) task = task::from_graph(graph, group);
    works_.push_back({std::move(group), std::move(task)});
  }
}

const graph::Node& Scope::first_node(const Work& work) const {
  return graph_.nodes[at(work.group.nodes.front())];
}

bool Scope::is_known(ValueId id) const {
  const graph::Value& memory = value(root(id));
  return memory.constant || model::elements(memory.type.shape) == 0;
}

bool Scope::is_placed(ValueId id) const { return places_[at(root(id))] || is_known(id); }

void Scope::place(ValueId id, const Operand& begin) {
  places_[at(root(id))] = View{begin, dense_strides(shape(root(id)))};
}

void Scope::place(ValueId id, View view) {
  check(root(id) == id, "a view is of a value that has memory");
  places_[at(id)] = std::move(view);
}

View Scope::place_of(ValueId id) {
  const ValueId memory = root(id);
  if (!places_[at(memory)]) {
    const graph::Value& value = this->value(memory);
    if (value.constant) {
      place(memory, Operand{program_.add_weight(value.name, *value.constant)});
    } else if (is_known(memory)) {
      auto nothing = model::Tensor::zeros(value.type.type, value.type.shape);
      place(memory, Operand{program_.add_weight(value.name, std::move(nothing))});
    } else {
      place(memory, Operand{program_.add_temporary(value.name, bytes(memory))});
    }
  }
  Strides strides = strides_as(id, shape(id));
  if (strides.empty()) strides = dense_strides(shape(id));
  return {places_[at(memory)]->begin, std::move(strides)};
}

Operand Scope::dense_place_of(ValueId id) {
  const View view = place_of(id);
  check(strides_as(id, shape(id)).empty(), "what knows no strides lies densely");
  return view.begin;
}

Strides Scope::strides_as(ValueId id, const model::Shape& tensor) const {
  const model::Shape& shape = this->shape(root(id));
  const Strides& strides = places_[at(root(id))]->strides;
  if (same_strides(shape, strides, dense_strides(shape))) return {};
  std::optional<Strides> result = reshaped_strides(shape, strides, tensor);
  check(result.has_value(), "a value lies so that its readers can say where");
  return *std::move(result);
}

}  // namespace hone::artefact
