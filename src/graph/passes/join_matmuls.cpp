// Products of one value with several constant matrices, as queries, keys and values of attention are,
// become one product with the matrices side by side: the value is read once and the kernel is larger.
#include <map>

#include "graph/passes.h"
#include "graph/passes/rewriter.h"

namespace hone::graph {
namespace {

// Products with the same left-hand side.
struct Family {
  std::vector<ValueId> matrices;   // of the old graph
  std::optional<ValueId> product;  // in the new one, once the first member was met
};
// Where a member's columns begin in the product of its family.
struct Member {
  ValueId left;
  std::int64_t column;
};

}  // namespace

Graph join_matmuls(const Graph& graph) {
  std::map<ValueId, Family> families;  // by the left-hand side
  std::map<ValueId, Member> members;   // by what they write
  std::map<ValueId, std::int64_t> columns;
  for (const Node& node : graph.nodes) {
    if (!std::holds_alternative<MatMul>(node.op)) continue;
    const Value& right = graph.values[static_cast<std::size_t>(node.inputs[1])];
    if (!right.constant || right.type.shape.size() != 2) continue;
    const ValueId left = node.inputs[0];
    families[left].matrices.push_back(node.inputs[1]);
    members[node.outputs.front()] = {left, columns[left]};
    columns[left] += right.type.shape.back();
  }
  return rewrite_once(graph, [&](Rewriter& next, const Node& node) -> std::optional<ValueId> {
    const auto member = members.find(node.outputs.front());
    if (member == members.end()) return std::nullopt;
    Family& family = families[member->second.left];
    if (family.matrices.size() < 2) return std::nullopt;
    if (!family.product) {
      std::vector<ValueId> matrices;
      for (const ValueId id : family.matrices) matrices.push_back(next.translated(id));
      family.product = next.add(MatMul{}, {node.inputs[0], next.add(Concat{1}, matrices)});
    }
    Slice slice{{}, {}, next.shape(*family.product)};
    slice.starts.resize(slice.shape.size(), 0);
    slice.steps.resize(slice.shape.size(), 1);
    slice.starts.back() = member->second.column;
    slice.shape.back() = next.shape(node.inputs[1]).back();
    return next.add(slice, {*family.product});
  });
}

}  // namespace hone::graph
