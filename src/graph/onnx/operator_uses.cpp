#include "graph/onnx/operator_uses.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "graph/onnx/node_name.h"
#include "graph/onnx/readers.h"

namespace hone::graph::onnx {
namespace {

using Uses = std::map<std::string, OperatorUse>;

void add_use(const model::Node& node, Uses& uses) {
  const std::string op = node.domain.empty() ? node.op : fmt::format("{}.{}", node.domain, node.op);
  OperatorUse& use = uses[op];
  use.op = op;
  use.nodes.push_back(name_of(node));
  use.is_readable = find_reader(node.domain, node.op) != nullptr;
}

void add_uses(const model::Nodes& nodes, Uses& uses) {
  for (const model::Node& node : nodes.nodes) {
    add_use(node, uses);
    for (const auto& [name, attribute] : node.attributes) {
      const auto* body = std::get_if<std::shared_ptr<const model::Nodes>>(&attribute);
      if (body != nullptr && *body != nullptr) add_uses(**body, uses);
    }
  }
}

// "Loop (2 nodes: /enc/Loop, /dec/Loop)"
std::string text_of(const OperatorUse& use) {
  constexpr std::size_t kShown = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(use.nodes.size(), kShown); ++i)
    names += fmt::format("{}{}", i == 0 ? "" : ", ", use.nodes[i]);
  return fmt::format("{} ({} {}: {}{})", use.op, use.nodes.size(),
                     use.nodes.size() == 1 ? "node" : "nodes", names,
                     use.nodes.size() > kShown ? ", ..." : "");
}

}  // namespace

std::vector<OperatorUse> operator_uses(const model::Nodes& nodes) {
  Uses uses;
  add_uses(nodes, uses);
  std::vector<OperatorUse> list;
  for (auto& [op, use] : uses) list.push_back(std::move(use));
  return list;
}

void require_readable(const std::vector<const model::Node*>& nodes, const std::string& model_name) {
  Uses uses;
  for (const model::Node* node : nodes) add_use(*node, uses);
  std::string list;
  int count = 0;
  for (const auto& [op, use] : uses) {
    if (use.is_readable) continue;
    list += (list.empty() ? "" : ", ") + text_of(use);
    ++count;
  }
  if (count == 0) return;
  throw UserError(fmt::format("`{}` uses {} {} that hone cannot read: {}", model_name, count,
                              count == 1 ? "operator" : "operators", list),
                  "`hone inspect MODEL --ops` lists every operator and what it becomes");
}

}  // namespace hone::graph::onnx
