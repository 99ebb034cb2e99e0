#include "artefact/task_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

#include "artefact/place_views.h"
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

struct Result {
  ValueId value;
  Operand to;
};

class Writer {
 public:
  TaskProgram run(const Graph& graph) {
    Scope scope(graph, program());
    for (const ValueId id : graph.inputs) {
      const graph::Value& value = scope.value(id);
      scope.place(id, Operand{program().add_input(value.name, value.type.type, value.type.shape)});
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
      if (scope.is_placed(result.value)) {
        copies.push_back(result);
      } else {
        scope.place(result.value, result.to);
      }
    }
    place_views(scope);
    for (const Scope::Work& work : scope.works()) write_work(scope, work);
    for (const auto& [value, to] : copies) {
      const model::Shape& shape = scope.shape(value);
      copy(scope.value(value).name, scope, value, {to, dense_strides(shape)});
    }
  }

  void write_work(Scope& scope, const Scope::Work& work) {
    const graph::Node& first = scope.first_node(work);
    if (const auto* topk = std::get_if<graph::TopK>(&first.op)) {
      write_topk(scope, first, *topk);
    } else if (const auto* loop = std::get_if<graph::Loop>(&first.op)) {
      write_loop(scope, first, *loop);
    } else if (work.task) {
      write_task(scope, work);
    } else {
      write_concat(scope, first);
    }
  }

  void write_concat(Scope& scope, const graph::Node& node) {
    const std::vector<View> parts = parts_of(scope, node);
    for (std::size_t i = 0; i < parts.size(); ++i) copy(node.name, scope, node.inputs[i], parts[i]);
  }

  void write_task(Scope& scope, const Scope::Work& work) {
    const task::GraphTask& made = *work.task;
    const ValueId result = made.outputs.front();
    const std::optional<View> cut = cut_from(scope, work);
    if (cut && same_place(scope.shape(result), *cut, scope.place_of(result))) return;
    KernelCall call;
    std::vector<Strides> strides;
    const auto tensor = [&](int op) { return made.task.ops[at(op)].output()->shape; };
    const std::vector<int> placeholders = made.task.placeholders(), outputs = made.task.outputs();
    for (std::size_t i = 0; i < made.inputs.size(); ++i) {
      const ValueId id = made.inputs[i];
      if (made.preparations.contains(id)) {
        auto constant = task::prepared_constant(scope.graph(), made, i);
        call.inputs.push_back({program().add_weight(scope.value(id).name, std::move(constant))});
        strides.emplace_back();
      } else {
        call.inputs.push_back(scope.place_of(id).begin);
        strides.push_back(scope.strides_as(id, tensor(placeholders[i])));
      }
    }
    for (std::size_t i = 0; i < made.outputs.size(); ++i) {
      call.outputs.push_back(scope.place_of(made.outputs[i]).begin);
      strides.push_back(scope.strides_as(made.outputs[i], tensor(outputs[i])));
    }
    call.kernel = kernel_of(made.task, std::move(strides));
    program().steps.push_back(
        {label_of(scope.graph(), work.group), std::move(call), task::flop_count(made.task)});
  }

  int kernel_of(const task::Task& task, std::vector<Strides> strides) {
    const bool is_dense = std::ranges::all_of(strides, &Strides::empty);
    std::string identity = identity_of(task);
    if (!is_dense) identity += fmt::format(" {}", strides);
    const auto [known, is_new] =
        kernels_.try_emplace(std::move(identity), static_cast<int>(made_.tasks.size()));
    if (is_new) {
      made_.tasks.push_back({std::make_shared<const task::Task>(task),
                             is_dense ? std::vector<Strides>() : std::move(strides)});
    }
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
    TopK step{.from = scope.dense_place_of(node.inputs[0]),
              .values = scope.dense_place_of(node.outputs[0]),
              .places = scope.dense_place_of(node.outputs[1]),
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
    if (outer.is_body())
      throw UserError(fmt::format("`{}` is a loop in a loop, which no artefact can hold", node.name));
    for (int i = 0; i < loop.carried; ++i)
      copy(node.name, outer, node.inputs[at(i)], outer.place_of(node.outputs[at(i)]));
    if (loop.trips == 0) return;
    const std::size_t head = program().steps.size();
    program().steps.push_back({node.name, Loop{.trips = loop.trips}});
    Scope body(*loop.body, program(), true);
    place_inputs(outer, node, loop, body);
    std::vector<Result> stacked;
    for (std::size_t i = at(loop.carried); i < node.outputs.size(); ++i) {
      const ValueId id = body.graph().outputs[i];
      stacked.push_back({id, slice(loop, outer.dense_place_of(node.outputs[i]), body.bytes(id))});
    }
    write(body, stacked);
    carry_on(outer, node, loop, body);
    std::get<Loop>(program().steps[head].action).steps =
        static_cast<int>(program().steps.size() - head) - 1;
  }

  void place_inputs(Scope& outer, const graph::Node& node, const graph::Loop& loop, Scope& body) {
    for (int i = 0; i < std::ssize(node.inputs); ++i) {
      const ValueId inner = body.graph().inputs[at(i)];
      const bool is_carried = i < loop.carried,
                 is_scanned = !is_carried && i < loop.carried + loop.scanned;
      const Operand place = outer.dense_place_of(is_carried ? node.outputs[at(i)] : node.inputs[at(i)]);
      body.place(inner, is_scanned ? slice(loop, place, body.bytes(inner)) : place);
    }
  }

  static Operand slice(const graph::Loop& loop, const Operand& whole, std::int64_t bytes) {
    return loop.reverse ? Operand{whole.buffer, whole.offset_bytes + (loop.trips - 1) * bytes, -bytes}
                        : Operand{whole.buffer, whole.offset_bytes, bytes};
  }

  void carry_on(Scope& outer, const graph::Node& node, const graph::Loop& loop, Scope& body) {
    std::vector<View> fresh;
    for (int i = 0; i < loop.carried; ++i) {
      const ValueId id = body.graph().outputs[at(i)];
      fresh.push_back(body.place_of(id));
      // An input may be overwritten before it is carried on as another one.
      const std::vector<ValueId>& inputs = body.graph().inputs;
      if (std::ranges::find(inputs, body.root(id)) == inputs.end()) continue;
      const Operand aside{program().add_temporary(body.value(id).name, body.bytes(id))};
      copy(node.name, body, id, {aside, dense_strides(body.shape(id))});
      fresh.back() = {aside, dense_strides(body.shape(id))};
    }
    for (int i = 0; i < loop.carried; ++i) {
      const ValueId id = node.outputs[at(i)];
      copy(node.name, fresh[at(i)], outer.place_of(id), outer.value(id).type);
    }
  }

  void copy(const std::string& label, Scope& scope, ValueId from, const View& to) {
    copy(label, scope.place_of(from), to, scope.value(from).type);
  }

  void copy(const std::string& label, const View& from, const View& to, const graph::ValueType& type) {
    if (same_place(type.shape, from, to)) return;
    for (Copy& copy : copies_of(type.shape, from, to, ir::size_bytes(type.type)))
      program().steps.push_back({label, std::move(copy)});
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
