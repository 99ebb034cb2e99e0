#include "task/from_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "graph/evaluate.h"
#include "task/define/define.h"
#include "task/define/piece.h"
#include "task/define/strassen.h"

namespace hone::task {
namespace {

// For people: what is computed, and how large the result is.
std::string name_of(const Task& task) {
  std::vector<std::string> names;
  for (const Op& op : task.ops) {
    const bool is_inner = op.hints.const_matrix || !op.hints.simplify_const_tensor_indices.empty();
    if (!op.is_placeholder() && !is_inner) names.push_back(op.name());
  }
  return fmt::format("{} [{}]", fmt::join(names, "+"), fmt::join(task.ops.back().output()->shape, ","));
}

// Only what the result, which is the last op, is made of: a map may turn out not to need an operand.
std::vector<Op> needed(const Task& task) {
  std::vector<bool> is_needed(task.ops.size(), false);
  is_needed.back() = true;
  std::vector<Op> ops;
  for (std::size_t i = task.ops.size(); i-- > 0;) {
    if (!is_needed[i]) continue;
    ops.insert(ops.begin(), task.ops[i]);
    for (const ir::Buffer& buffer : reads_of(task.ops[i]))
      is_needed[static_cast<std::size_t>(task.producer(buffer))] = true;
  }
  return ops;
}

}  // namespace

GraphTask from_graph(const graph::Graph& graph, const graph::Group& group) {
  check(!group.nodes.empty(), "a group has nodes");
  define::Piece piece = define::piece_of(graph, group);
  define::collapse(piece);
  define::cut_into_quarters(piece);
  const graph::ValueId result = piece.nodes.back().outputs.front();
  const graph::ValueType& type = graph.values[static_cast<std::size_t>(result)].type;
  define::Scope scope(graph, std::move(piece.shapes), {type.type, 1});
  for (const graph::Node& node : piece.nodes) define::define(scope, node);
  GraphTask made;
  made.task = scope.draft().finish("");
  made.task.ops = needed(made.task);
  made.task.name = name_of(made.task);
  made.inputs = scope.inputs_of(made.task);
  made.outputs = {result};
  made.preparations = scope.take_preparations();
  return made;
}

graph::Tensor prepared_constant(const graph::Graph& graph, const GraphTask& made, std::size_t input) {
  const graph::ValueId value = made.inputs[input];
  const std::optional<graph::Tensor>& constant = graph.values[static_cast<std::size_t>(value)].constant;
  check(constant.has_value(), "the input is a constant");
  const auto found = made.preparations.find(value);
  if (found == made.preparations.end()) return *constant;
  return graph::evaluate(found->second, std::span(&*constant, 1)).front();
}

}  // namespace hone::task
