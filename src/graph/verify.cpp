#include "graph/verify.h"

#include <fmt/format.h>

#include <string>
#include <unordered_set>

#include "base/error.h"
#include "graph/infer.h"
#include "graph/print.h"

namespace hone::graph {
namespace {

class Verifier {
 public:
  explicit Verifier(const Graph& graph) : graph_(graph), is_known_(graph.values.size()) {}

  void run() {
    check_values();
    for (const ValueId id : graph_.inputs) {
      require_id(id);
      if (graph_.values[index(id)].constant) wrong("an input is a constant", id);
      give(id);
    }
    for (const Node& node : graph_.nodes) check_node(node);
    for (const ValueId id : graph_.outputs) take(id);
    for (std::size_t i = 0; i < is_known_.size(); ++i) {
      if (!is_known_[i]) wrong("is no input, constant or output of a node", static_cast<ValueId>(i));
    }
  }

 private:
  static std::size_t index(ValueId id) { return static_cast<std::size_t>(id); }

  [[noreturn]] void wrong(std::string_view what, ValueId id) const {
    fail(fmt::format("value %{} '{}': {}", id, graph_.values[index(id)].name, what));
  }
  void require_id(ValueId id) const {
    if (id < 0 || index(id) >= graph_.values.size()) fail(fmt::format("there is no value %{}", id));
  }
  void give(ValueId id) {
    require_id(id);
    if (is_known_[index(id)]) wrong("has two origins", id);
    is_known_[index(id)] = true;
  }
  void take(ValueId id) const {
    require_id(id);
    if (!is_known_[index(id)]) wrong("is used before it is known", id);
  }

  void check_values() {
    std::unordered_set<std::string> names;
    for (std::size_t i = 0; i < graph_.values.size(); ++i) {
      const Value& value = graph_.values[i];
      const auto id = static_cast<ValueId>(i);
      if (value.name.empty() || !names.insert(value.name).second) wrong("has no name of its own", id);
      require_sane(value.type);
      if (!value.constant) continue;
      if (ValueType{value.constant->type(), value.constant->shape()} != value.type)
        wrong(fmt::format("its constant is no {}", print(value.type)), id);
      give(id);
    }
  }

  void check_node(const Node& node) {
    std::vector<ValueType> inputs, outputs;
    for (const ValueId id : node.inputs) {
      take(id);
      inputs.push_back(graph_.values[index(id)].type);
    }
    for (const ValueId id : node.outputs) {
      give(id);
      outputs.push_back(graph_.values[index(id)].type);
    }
    if (const auto* loop = std::get_if<Loop>(&node.op); loop && loop->body) verify(*loop->body);
    if (infer(node.op, inputs) != outputs)
      fail(fmt::format("node '{}': its outputs do not have the types that {} gives", node.name,
                       name_of(node.op)));
  }

  const Graph& graph_;
  std::vector<bool> is_known_;
};

}  // namespace

void verify(const Graph& graph) {
  try {
    Verifier(graph).run();
  } catch (const UserError& error) {
    fail(fmt::format("graph '{}': {}", graph.name, error.what()));
  }
}

}  // namespace hone::graph
