#include "graph/from_model.h"

#include <fmt/format.h>

#include <set>
#include <unordered_map>

#include "base/error.h"
#include "graph/builder.h"
#include "graph/onnx/input_types.h"
#include "graph/onnx/node_name.h"
#include "graph/onnx/node_order.h"
#include "graph/onnx/operator_uses.h"
#include "graph/onnx/readers.h"

namespace hone::graph {
namespace {

// The values that names stand for; a subgraph also sees those around it.
struct Scope {
  const Scope* around = nullptr;
  std::unordered_map<std::string, ValueId> values;
  std::unordered_map<std::string, std::string> not_computed;  // an output -> its node

  std::optional<ValueId> find(const std::string& name) const {
    if (const auto at = values.find(name); at != values.end()) return at->second;
    return around ? around->find(name) : std::nullopt;
  }
  bool defines(const std::string& name) const { return find(name).has_value(); }

  ValueId at(const std::string& name) const {
    if (const auto id = find(name)) return *id;
    const auto node = not_computed.find(name);
    check(node != not_computed.end(), "nodes are read in an order in which names are known");
    throw UserError(
        fmt::format("`{}` is read, an output of {} that hone does not compute", name, node->second));
  }
};

class Importer {
 public:
  explicit Importer(const model::Model& model) : model_(model), builder_(model.name) {}

  Graph run(const ImportOptions& options) {
    check_opset();
    Scope scope;
    const std::map<std::string, ValueType> types = onnx::input_types(model_, options);
    for (const model::Port& port : model_.inputs) add_input(port, types, options, scope);
    std::vector<std::string> names;
    for (const model::Port& port : model_.outputs) names.push_back(port.name);
    return builder_.finish(named_outputs(names, read_nodes(model_.graph, names, scope)));
  }

 private:
  void check_opset() const {
    const auto opset = model_.opsets.find("");
    if (opset == model_.opsets.end() || opset->second <= kNewestOpset) return;
    throw UserError(
        fmt::format("the model uses opset {}, hone reads those up to {}", opset->second, kNewestOpset),
        fmt::format("export it again with opset {}", kNewestOpset));
  }

  void add_input(const model::Port& port, const std::map<std::string, ValueType>& types,
                 const ImportOptions& options, Scope& scope) {
    const auto bound = options.bound.find(port.name);
    const ValueId id = bound != options.bound.end() ? builder_.constant(bound->second, port.name)
                                                    : builder_.input(port.name, types.at(port.name));
    scope.values.emplace(port.name, id);
    named_.insert(id);
    inputs_.insert(id);
  }

  std::vector<ValueId> read_nodes(const model::Nodes& nodes, const std::vector<std::string>& outputs,
                                  Scope& scope) {
    for (const auto& [name, tensor] : nodes.initializers) {
      const ValueId id = builder_.constant(tensor, name);
      scope.values.emplace(name, id);
      named_.insert(id);
    }
    const auto order =
        onnx::node_order(nodes, outputs, [&](const std::string& name) { return scope.defines(name); });
    onnx::require_readable(order, model_.name);
    for (const model::Node* node : order) read_node(*node, scope);
    std::vector<ValueId> ids;
    for (const std::string& output : outputs) ids.push_back(scope.at(output));
    return ids;
  }

  void read_node(const model::Node& node, Scope& scope) {
    try {
      std::vector<ValueId> inputs;
      for (const std::string& name : node.inputs)
        inputs.push_back(name.empty() ? onnx::kLeftOut : scope.at(name));
      const auto opset = model_.opsets.find(node.domain);
      const onnx::Reading reading{.node = node,
                                  .opset = opset == model_.opsets.end() ? 1 : opset->second,
                                  .inputs = std::move(inputs),
                                  .attributes = onnx::Attributes(node),
                                  .emit = onnx::Emitter(builder_, onnx::name_of(node)),
                                  .read_nodes = [&](const model::Nodes& body) {
                                    Scope inner{.around = &scope, .values = {}, .not_computed = {}};
                                    return read_nodes(body, body.outputs, inner);
                                  }};
      define_outputs(node, onnx::find_reader(node.domain, node.op)(reading), scope);
    } catch (const UserError& error) {
      throw UserError(fmt::format("{}: {}", onnx::label_of(node), error.what()),
                      error.hint().empty()
                          ? "the model contradicts itself there, or --shape and --bind "
                            "do not fit it: export it again, or correct them"
                          : error.hint());
    }
  }

  void define_outputs(const model::Node& node, const std::vector<ValueId>& ids, Scope& scope) {
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const std::string& name = node.outputs[i];
      if (name.empty()) continue;
      if (i >= ids.size()) {
        scope.not_computed.emplace(name, onnx::label_of(node));
        continue;
      }
      scope.values.emplace(name, ids[i]);
      if (named_.insert(ids[i]).second) builder_.rename(ids[i], name);
    }
  }

  // Every output is a value of its own under its own name, also when the model hands on an input or
  // gives the same value twice.
  std::vector<ValueId> named_outputs(const std::vector<std::string>& names, std::vector<ValueId> ids) {
    std::set<ValueId> taken = inputs_;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!taken.insert(ids[i]).second)
        ids[i] = builder_.apply(names[i], Reshape{builder_.type(ids[i]).shape}, {ids[i]});
      builder_.rename(ids[i], names[i]);
    }
    return ids;
  }

  const model::Model& model_;
  Builder builder_;
  std::set<ValueId> inputs_;
  std::set<ValueId> named_;  // values that have the name of one of the model's
};

}  // namespace

Graph from_model(const model::Model& model, const ImportOptions& options) {
  return Importer(model).run(options);
}

}  // namespace hone::graph
