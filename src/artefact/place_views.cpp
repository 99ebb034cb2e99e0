#include "artefact/place_views.h"

#include <algorithm>
#include <ranges>

namespace hone::artefact {
namespace {

using graph::ValueId;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Where each input begins along the axis of a concatenation.
std::vector<std::int64_t> starts_of(const Scope& scope, const graph::Node& concat) {
  const int axis = std::get<graph::Concat>(concat.op).axis;
  std::vector<std::int64_t> starts;
  std::int64_t next = 0;
  for (const ValueId id : concat.inputs) {
    starts.push_back(next);
    next += scope.shape(id)[at(axis)];
  }
  return starts;
}

std::vector<View> parts_in(const Scope& scope, const graph::Node& concat, const View& whole) {
  std::vector<View> parts;
  model::Shape starts(whole.strides.size(), 0);
  for (const std::int64_t start : starts_of(scope, concat)) {
    starts[at(std::get<graph::Concat>(concat.op).axis)] = start;
    parts.push_back(part_of(whole, starts, scope.element_bytes(concat.outputs[0])));
  }
  return parts;
}

class Placer {
 public:
  explicit Placer(Scope& scope)
      : scope_(scope),
        shapes_(scope.graph().values.size()),
        is_dense_(scope.graph().values.size()),
        is_result_(scope.graph().values.size()) {
    for (const Scope::Work& work : scope.works()) note(work);
    for (const ValueId id : scope.graph().outputs) {
      used_as(id, scope.shape(id));
      is_result_[at(scope.root(id))] = true;
    }
  }

  void run() {
    // Later ones first: their inputs may be concatenations, too.
    for (const Scope::Work& work : scope_.works() | std::views::reverse) {
      if (!graph::is_copy(scope_.graph(), work.group)) continue;
      const graph::Node& node = scope_.first_node(work);
      adopt(node);
      place_inputs(node);
    }
    for (const Scope::Work& work : scope_.works()) {
      const ValueId result = scope_.first_node(work).outputs[0];
      if (!is_open(result)) continue;
      const std::optional<View> view = cut_from(scope_, work);
      if (view && accepts(result, view->strides)) scope_.place(result, *view);
    }
  }

 private:
  // Whether it may be where others are. What a loop's body carries on may not: they change by then.
  bool is_open(ValueId id) const { return !scope_.is_placed(id) && !is_result_[at(id)]; }

  void used_as(ValueId id, const model::Shape& shape) { shapes_[at(scope_.root(id))].push_back(shape); }

  // How the values of a group are read and made.
  void note(const Scope::Work& work) {
    const graph::Node& node = scope_.first_node(work);
    if (work.task) {
      const task::GraphTask& made = *work.task;
      const std::vector<int> inputs = made.task.placeholders(), outputs = made.task.outputs();
      for (std::size_t i = 0; i < inputs.size(); ++i)
        used_as(made.inputs[i], made.task.ops[at(inputs[i])].output()->shape);
      for (std::size_t i = 0; i < outputs.size(); ++i)
        used_as(made.outputs[i], made.task.ops[at(outputs[i])].output()->shape);
    } else {
      const bool is_copy = graph::is_copy(scope_.graph(), work.group);
      for (const auto& values : {node.inputs, node.outputs}) {
        for (const ValueId id : values) {
          used_as(id, scope_.shape(id));
          if (!is_copy) is_dense_[at(scope_.root(id))] = true;
        }
      }
    }
  }

  // Whether a value may have these strides: all who read or make it can say where its elements are,
  // and neighbours of the innermost dimension stay neighbours, so that vectors are still loaded at
  // once.
  bool accepts(ValueId root, const Strides& strides) const {
    const model::Shape& shape = scope_.shape(root);
    if (same_strides(shape, strides, dense_strides(shape))) return true;
    if (is_dense_[at(root)]) return false;
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (shape[d] == 1) continue;
      if (strides[d] != 1) return false;
      break;
    }
    return std::ranges::all_of(shapes_[at(root)], [&](const model::Shape& as) {
      return reshaped_strides(shape, strides, as).has_value();
    });
  }

  void place_inputs(const graph::Node& concat) {
    const std::vector<View> parts = parts_of(scope_, concat);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const ValueId input = concat.inputs[i], root = scope_.root(input);
      if (scope_.is_placed(root)) continue;
      const auto strides = reshaped_strides(scope_.shape(input), parts[i].strides, scope_.shape(root));
      if (strides && accepts(root, *strides)) scope_.place(root, {parts[i].begin, *strides});
    }
  }

  // The output where the inputs are, when those have places side by side.
  void adopt(const graph::Node& concat) {
    const ValueId result = concat.outputs[0];
    const bool all_placed = std::ranges::all_of(
        concat.inputs, [&](ValueId id) { return scope_.is_placed(id) && !scope_.is_known(id); });
    if (!is_open(result) || !all_placed || concat.inputs.size() < 2) return;
    const std::size_t axis = at(std::get<graph::Concat>(concat.op).axis);
    View whole = scope_.place_of(concat.inputs[0]);
    const std::int64_t apart_bytes =
        scope_.place_of(concat.inputs[1]).begin.offset_bytes - whole.begin.offset_bytes;
    if (apart_bytes <= 0) return;
    // Of an input of extent 1 nobody knows how far the next element would be.
    whole.strides[axis] =
        apart_bytes / scope_.element_bytes(result) / scope_.shape(concat.inputs[0])[axis];
    const std::vector<View> parts = parts_in(scope_, concat, whole);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const ValueId input = concat.inputs[i];
      if (!same_place(scope_.shape(input), scope_.place_of(input), parts[i])) return;
    }
    if (accepts(result, whole.strides)) scope_.place(result, whole);
  }

  Scope& scope_;
  std::vector<std::vector<model::Shape>> shapes_;  // of roots: under which they are read and made
  std::vector<bool> is_dense_;                     // of roots: somebody knows no strides
  std::vector<bool> is_result_;                    // of roots
};

}  // namespace

void place_views(Scope& scope) { Placer(scope).run(); }

std::optional<View> cut_from(Scope& scope, const Scope::Work& work) {
  if (!graph::is_part(scope.graph(), work.group)) return std::nullopt;
  const graph::Node& node = scope.first_node(work);
  return part_of(scope.place_of(node.inputs[0]), std::get<graph::Slice>(node.op).starts,
                 scope.element_bytes(node.outputs[0]));
}

std::vector<View> parts_of(Scope& scope, const graph::Node& concat) {
  return parts_in(scope, concat, scope.place_of(concat.outputs[0]));
}

}  // namespace hone::artefact
