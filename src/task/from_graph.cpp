#include "task/from_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "task/define/define.h"
#include "task/define/piece.h"

namespace hone::task {
namespace {

// For people: what is computed, and how large the result is.
std::string name_of(const Task& task) {
  std::vector<std::string> names;
  for (const Op& op : task.ops) {
    if (!op.is_placeholder()) names.push_back(op.name());
  }
  return fmt::format("{} [{}]", fmt::join(names, "+"), fmt::join(task.ops.back().output()->shape, ","));
}

}  // namespace

GraphTask from_graph(const graph::Graph& graph, const graph::Group& group) {
  check(!group.nodes.empty(), "a group has nodes");
  define::Piece piece = define::piece_of(graph, group);
  define::collapse(piece);
  const graph::ValueId result = piece.nodes.back().outputs.front();
  const graph::ValueType& type = graph.values[static_cast<std::size_t>(result)].type;
  define::Scope scope(graph, std::move(piece.shapes), {type.type, 1});
  for (const graph::Node& node : piece.nodes) define::define(scope, node);
  GraphTask made;
  made.task = scope.draft().finish("");
  made.task.name = name_of(made.task);
  made.inputs = scope.inputs_of(made.task);
  made.outputs = {result};
  return made;
}

}  // namespace hone::task
