#include "artefact/task_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

#include "artefact/parts.h"
#include "base/error.h"
#include "graph/groups.h"
#include "task/analysis.h"
#include "task/from_graph.h"
#include "task/key.h"

namespace hone::artefact {
namespace {

using graph::Graph;
using graph::ValueId;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::int64_t bytes_of(const graph::ValueType& type) {
  return model::elements(type.shape) * ir::size_bytes(type.type);
}

// The graph that is being written: the whole one, or a loop's body.
struct Scope {
  const Graph& graph;
  bool is_body = false;
  std::vector<ValueId> roots;                    // of a value: the one whose memory it has
  std::vector<std::optional<Operand>> places{};  // of roots, as far as they are known

  explicit Scope(const Graph& whole, bool body = false)
      : graph(whole), is_body(body), places(whole.values.size()) {
    for (std::size_t v = 0; v < whole.values.size(); ++v) roots.push_back(static_cast<ValueId>(v));
    for (const graph::Node& node : whole.nodes) {
      if (std::holds_alternative<graph::Reshape>(node.op))
        roots[at(node.outputs[0])] = roots[at(node.inputs[0])];
    }
  }
  const graph::Value& value(ValueId id) const { return graph.values[at(id)]; }
  ValueId root(ValueId id) const { return roots[at(id)]; }
};

struct Result {
  ValueId value;
  Operand to;
};

class Writer {
 public:
  TaskProgram run(const Graph& graph) {
    Scope scope(graph);
    for (const ValueId id : graph.inputs) {
      const graph::Value& value = scope.value(id);
      scope.places[at(id)] =
          Operand{program().add_input(value.name, value.type.type, value.type.shape)};
    }
    std::vector<Result> results;
    for (const ValueId id : graph.outputs) {
      const graph::Value& value = scope.value(id);
      results.push_back({id, {program().add_output(value.name, value.type.type, value.type.shape)}});
    }
    write(scope, results);
    return std::move(made_);
  }

 private:
  Program& program() { return made_.program; }

  void write(Scope& scope, const std::vector<Result>& results) {
    std::vector<Result> copies;
    for (const Result& result : results) {
      const ValueId root = scope.root(result.value);
      std::optional<Operand>& place = scope.places[at(root)];
      if (place || is_known(scope.value(root))) {
        copies.push_back(result);
      } else {
        place = result.to;
      }
    }
    const std::vector<graph::Group> groups = graph::fuse(scope.graph);
    for (std::size_t g = groups.size(); g-- > 0;) place_parts(scope, groups[g]);
    for (const graph::Group& group : groups) write_group(scope, group);
    for (const auto& [value, to] : copies) {
      copy(scope.value(value).name, place_of(scope, value), to, bytes_of(scope.value(value).type));
    }
  }

  // Without anything being run; what has no elements is, too.
  static bool is_known(const graph::Value& value) {
    return value.constant || model::elements(value.type.shape) == 0;
  }

  // The inputs of a concatenation are made where they lie in its output, if that is one piece of memory
  // and they are made here at all. Later ones come first: their inputs may be concatenations, too.
  void place_parts(Scope& scope, const graph::Group& group) {
    if (!graph::is_copy(scope.graph, group)) return;
    const graph::Node& node = scope.graph.nodes[at(group.nodes.front())];
    const std::vector<Part> parts = parts_of_node(scope, node);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const ValueId root = scope.root(node.inputs[i]);
      std::optional<Operand>& place = scope.places[at(root)];
      if (parts[i].rows == 1 && !place && !is_known(scope.value(root)))
        place = part_place(place_of(scope, node.outputs[0]), parts[i]);
    }
  }

  static Operand part_place(Operand whole, const Part& part) {
    whole.offset_bytes += part.offset_bytes;
    return whole;
  }

  static std::vector<Part> parts_of_node(const Scope& scope, const graph::Node& node) {
    std::vector<model::Shape> shapes;
    for (const ValueId id : node.inputs) shapes.push_back(scope.value(id).type.shape);
    return parts_of(std::get<graph::Concat>(node.op), shapes,
                    ir::size_bytes(scope.value(node.outputs[0]).type.type));
  }

  void write_concat(Scope& scope, const graph::Node& node) {
    const Operand whole = place_of(scope, node.outputs[0]);
    const std::vector<Part> parts = parts_of_node(scope, node);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Part& part = parts[i];
      const Operand from = place_of(scope, node.inputs[i]), to = part_place(whole, part);
      if (from == to || part.rows * part.row_bytes == 0) continue;
      program().steps.push_back(
          {node.name, Copy{from, to, part.rows, part.row_bytes, part.row_bytes, part.stride_bytes}});
    }
  }

  Operand place_of(Scope& scope, ValueId id) {
    const graph::Value& value = scope.value(scope.root(id));
    std::optional<Operand>& place = scope.places[at(scope.root(id))];
    if (place) return *place;
    if (value.constant) {
      place = Operand{program().add_weight(value.name, *value.constant)};
    } else if (is_known(value)) {
      auto nothing = model::Tensor::zeros(value.type.type, value.type.shape);
      place = Operand{program().add_weight(value.name, std::move(nothing))};
    } else {
      place = Operand{program().add_temporary(value.name, bytes_of(value.type))};
    }
    return *place;
  }

  void write_group(Scope& scope, const graph::Group& group) {
    const graph::Node& first = scope.graph.nodes[at(group.nodes.front())];
    if (const auto* topk = std::get_if<graph::TopK>(&first.op)) {
      write_topk(scope, first, *topk);
    } else if (const auto* loop = std::get_if<graph::Loop>(&first.op)) {
      write_loop(scope, first, *loop);
    } else if (graph::is_copy(scope.graph, group)) {
      write_concat(scope, first);
    } else {
      write_task(scope, group);
    }
  }

  void write_task(Scope& scope, const graph::Group& group) {
    task::GraphTask made = task::from_graph(scope.graph, group);
    KernelCall call;
    for (std::size_t i = 0; i < made.inputs.size(); ++i) {
      const ValueId id = made.inputs[i];
      const bool is_prepared = made.preparations.contains(id);
      call.inputs.push_back(
          is_prepared ? Operand{program().add_weight(scope.value(id).name,
                                                     task::prepared_constant(scope.graph, made, i))}
                      : place_of(scope, id));
    }
    for (const ValueId id : made.outputs) call.outputs.push_back(place_of(scope, id));
    const double flop = task::flop_count(made.task);
    call.kernel = kernel_of(std::move(made.task));
    program().steps.push_back({label_of(scope.graph, group), std::move(call), flop});
  }

  int kernel_of(task::Task task) {
    const auto [known, is_new] =
        kernels_.try_emplace(identity_of(task), static_cast<int>(made_.tasks.size()));
    if (is_new) made_.tasks.push_back(std::make_shared<const task::Task>(std::move(task)));
    return known->second;
  }

  static std::string label_of(const Graph& graph, const graph::Group& group) {
    std::vector<std::string> names;
    for (const int n : group.nodes) {
      const std::string& name = graph.nodes[at(n)].name;
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
  }

  void write_topk(Scope& scope, const graph::Node& node, const graph::TopK& topk) {
    const graph::ValueType& type = scope.value(node.inputs[0]).type;
    TopK step{.from = place_of(scope, node.inputs[0]),
              .values = place_of(scope, node.outputs[0]),
              .places = place_of(scope, node.outputs[1]),
              .extent = type.shape[at(topk.axis)],
              .k = topk.k,
              .type = type.type,
              .largest = topk.largest};
    for (int d = 0; d < topk.axis; ++d) step.outer *= type.shape[at(d)];
    for (std::size_t d = at(topk.axis) + 1; d < type.shape.size(); ++d) step.inner *= type.shape[d];
    program().steps.push_back({node.name, step});
  }

  // What is carried lies where the loop's result will be, and is replaced at the end of an iteration.
  void write_loop(Scope& outer, const graph::Node& node, const graph::Loop& loop) {
    if (outer.is_body)
      throw UserError(fmt::format("`{}` is a loop in a loop, which no artefact can hold", node.name));
    for (int i = 0; i < loop.carried; ++i) {
      copy(node.name, place_of(outer, node.inputs[at(i)]), place_of(outer, node.outputs[at(i)]),
           bytes_of(outer.value(node.outputs[at(i)]).type));
    }
    if (loop.trips == 0) return;
    const std::size_t head = program().steps.size();
    program().steps.push_back({node.name, Loop{.trips = loop.trips}});
    Scope body(*loop.body, true);
    place_inputs(outer, node, loop, body);
    std::vector<Result> stacked;
    for (std::size_t i = at(loop.carried); i < node.outputs.size(); ++i) {
      stacked.push_back(
          {body.graph.outputs[i], slice(loop, place_of(outer, node.outputs[i]),
                                        bytes_of(body.value(body.graph.outputs[i]).type))});
    }
    write(body, stacked);
    carry_on(outer, node, loop, body);
    std::get<Loop>(program().steps[head].action).steps =
        static_cast<int>(program().steps.size() - head) - 1;
  }

  void place_inputs(Scope& outer, const graph::Node& node, const graph::Loop& loop, Scope& body) {
    for (int i = 0; i < std::ssize(node.inputs); ++i) {
      const ValueId inner = body.graph.inputs[at(i)];
      const bool is_carried = i < loop.carried,
                 is_scanned = !is_carried && i < loop.carried + loop.scanned;
      const Operand place = place_of(outer, is_carried ? node.outputs[at(i)] : node.inputs[at(i)]);
      body.places[at(inner)] =
          is_scanned ? slice(loop, place, bytes_of(body.value(inner).type)) : place;
    }
  }

  static Operand slice(const graph::Loop& loop, const Operand& whole, std::int64_t bytes) {
    return loop.reverse ? Operand{whole.buffer, (loop.trips - 1) * bytes, -bytes}
                        : Operand{whole.buffer, 0, bytes};
  }

  void carry_on(Scope& outer, const graph::Node& node, const graph::Loop& loop, Scope& body) {
    std::vector<Operand> fresh;
    for (int i = 0; i < loop.carried; ++i) {
      const ValueId id = body.graph.outputs[at(i)];
      fresh.push_back(place_of(body, id));
      // An input may be overwritten before it is carried on as another one.
      if (std::ranges::find(body.graph.inputs, body.root(id)) == body.graph.inputs.end()) continue;
      const std::int64_t bytes = bytes_of(body.value(id).type);
      const Operand aside{program().add_temporary(body.value(id).name, bytes)};
      copy(node.name, fresh.back(), aside, bytes);
      fresh.back() = aside;
    }
    for (int i = 0; i < loop.carried; ++i) {
      const ValueId id = node.outputs[at(i)];
      copy(node.name, fresh[at(i)], place_of(outer, id), bytes_of(outer.value(id).type));
    }
  }

  void copy(const std::string& label, const Operand& from, const Operand& to, std::int64_t bytes) {
    if (bytes > 0) program().steps.push_back({label, Copy{.from = from, .to = to, .row_bytes = bytes}});
  }

  TaskProgram made_;
  std::map<std::string, int> kernels_;  // by identity
};

}  // namespace

std::string identity_of(const task::Task& task) {
  std::string identity = task::canonical_key(task);
  for (const task::Op& op : task.ops)
    identity += fmt::format(" {}", fmt::join(op.hints.layout_free, ","));
  return identity;
}

TaskProgram task_program(const Graph& graph) { return Writer().run(graph); }

}  // namespace hone::artefact
