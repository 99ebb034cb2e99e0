#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string>

#include "graph/infer.h"
#include "graph/passes.h"
#include "graph/passes/rewriter.h"
#include "graph/print.h"
#include "ir/print.h"

namespace hone::graph {
namespace {

// Constants up to this size are compared by their elements: scales, shapes and tables. Larger ones are
// equal when they are the same memory, as a weight is that a model uses twice.
constexpr std::size_t kComparedBytes = std::size_t{1} << 16;

std::string key_of(const ValueType& type, const Tensor& tensor) {
  const auto bytes = tensor.bytes();
  if (bytes.size() > kComparedBytes)
    return fmt::format("{} at {}", print(type), fmt::ptr(bytes.data()));
  return fmt::format("{} {}", print(type),
                     std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

// The operator with all that its result depends on besides the inputs' elements. What operands are
// called makes no difference.
std::string key_of(const Operator& op, std::span<const ValueType> inputs) {
  const std::string result = print(infer(op, inputs).front());
  const auto* map = std::get_if<Map>(&op);
  if (!map) return fmt::format("{} {}", result, print(op));
  const ir::Naming by_place{[&](const ir::Expr& variable) {
                              for (std::size_t i = 0; i < map->operands.size(); ++i) {
                                if (variable.same(map->operands[i])) return fmt::format("x{}", i);
                              }
                              return std::string(ir::name_of(variable));
                            },
                            {}};
  return fmt::format("{} map {}", result, ir::print(map->body, by_place));
}

}  // namespace

Graph share_equal_nodes(const Graph& graph) {
  std::vector<ValueId> same(graph.values.size());  // the first constant that is equal, or itself
  std::map<std::string, ValueId> constants;
  for (std::size_t id = 0; id < graph.values.size(); ++id) {
    const Value& value = graph.values[id];
    same[id] = static_cast<ValueId>(id);
    if (value.constant)
      same[id] = constants.emplace(key_of(value.type, *value.constant), same[id]).first->second;
  }
  Graph shared = graph;
  for (Node& node : shared.nodes) {
    for (ValueId& id : node.inputs) id = same[static_cast<std::size_t>(id)];
  }
  std::map<std::string, ValueId> known;
  return rewrite_once(shared, [&](Rewriter& next, const Node& node) -> std::optional<ValueId> {
    if (std::holds_alternative<Loop>(node.op)) return std::nullopt;  // its body is no part of the key
    std::vector<ValueType> types;
    for (const ValueId id : node.inputs) types.push_back(next.type(id));
    const std::string key =
        fmt::format("{} of {}", key_of(node.op, types), fmt::join(node.inputs, ","));
    const auto found = known.find(key);
    if (found != known.end()) return found->second;
    return known[key] = next.copy(node).front();
  });
}

}  // namespace hone::graph
