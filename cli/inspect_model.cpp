#include "cli/inspect_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "cli/exit_code.h"
#include "cli/inspect_tasks.h"
#include "cli/model_input.h"
#include "cli/terminal.h"
#include "graph/flops.h"
#include "graph/onnx/operator_uses.h"
#include "graph/passes.h"
#include "graph/print.h"
#include "model/write.h"

namespace hone::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Parameters {
  std::int64_t tensors = 0, elements = 0, bytes = 0;
};

Parameters parameters_of(const model::Model& model) {
  Parameters all;
  for (const auto& [name, tensor] : model.graph.initializers) {
    if (!ir::is_float(tensor.type())) continue;  // shapes and indices are no weights
    ++all.tensors;
    all.elements += tensor.size();
    all.bytes += static_cast<std::int64_t>(tensor.bytes().size());
  }
  return all;
}

std::int64_t opset_of(const model::Model& model) {
  const auto at = model.opsets.find("");
  return at == model.opsets.end() ? 0 : at->second;
}

const graph::Value& value_of(const graph::Graph& graph, graph::ValueId id) {
  return graph.values[static_cast<std::size_t>(id)];
}

std::map<std::string, int> counts_of(const graph::Graph& graph) {
  std::map<std::string, int> counts;
  for (const graph::Node& node : graph.nodes) ++counts[std::string(graph::name_of(node.op))];
  return counts;
}

void print_summary(const model::Model& model, const graph::Graph& graph) {
  const Parameters weights = parameters_of(model);
  fmt::print("model      {}   opset {}{}{}\n", model.name, opset_of(model),
             model.producer.empty() ? "" : "   made by ", model.producer);
  for (const graph::ValueId id : graph.inputs)
    fmt::print("input      {}   {}\n", value_of(graph, id).name,
               graph::print(value_of(graph, id).type));
  for (const graph::ValueId id : graph.outputs)
    fmt::print("output     {}   {}\n", value_of(graph, id).name,
               graph::print(value_of(graph, id).type));
  fmt::print("weights    {:.2f} million in {} tensors, {:.1f} MiB\n",
             static_cast<double>(weights.elements) / 1e6, weights.tensors,
             static_cast<double>(weights.bytes) / 1048576.0);
  fmt::print("work       {:.2f} GFLOP in convolutions and products\n", graph::flop_count(graph) / 1e9);
  std::string parts;
  for (const auto& [op, count] : counts_of(graph))
    parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", count, op);
  fmt::print("graph      {} nodes from the model's {}: {}\n", graph.nodes.size(),
             model.graph.nodes.size(), parts);
}

Json ports_of(const graph::Graph& graph, const std::vector<graph::ValueId>& ids) {
  Json list = Json::array();
  for (const graph::ValueId id : ids) {
    const graph::Value& value = value_of(graph, id);
    list.push_back({{"name", value.name},
                    {"type", ir::to_string({value.type.type})},
                    {"shape", value.type.shape}});
  }
  return list;
}

Json summary_json(const model::Model& model, const graph::Graph& graph) {
  const Parameters weights = parameters_of(model);
  return {{"schema", "hone.model/1"},
          {"model", model.name},
          {"opset", opset_of(model)},
          {"producer", model.producer},
          {"inputs", ports_of(graph, graph.inputs)},
          {"outputs", ports_of(graph, graph.outputs)},
          {"parameters", weights.elements},
          {"parameter_bytes", weights.bytes},
          {"flop", graph::flop_count(graph)},
          {"nodes", model.graph.nodes.size()},
          {"graph", counts_of(graph)}};
}

// What the nodes of each operator have become, by the names that the graph's nodes keep.
class Becoming {
 public:
  explicit Becoming(const graph::Graph& graph) {
    for (const graph::Node& node : graph.nodes)
      by_node_[node.name].insert(std::string(graph::name_of(node.op)));
  }
  std::vector<std::string> of(const graph::onnx::OperatorUse& use) const {
    std::set<std::string> ops;
    for (const std::string& node : use.nodes) {
      if (const auto at = by_node_.find(node); at != by_node_.end())
        ops.insert(at->second.begin(), at->second.end());
    }
    return {ops.begin(), ops.end()};
  }

 private:
  std::map<std::string, std::set<std::string>> by_node_;
};

std::string text_of(const graph::onnx::OperatorUse& use, const std::optional<Becoming>& becoming) {
  constexpr std::size_t kShown = 3;
  if (!use.is_readable) {
    const std::size_t shown = std::min(use.nodes.size(), kShown);
    return fmt::format(
        "cannot be read: {}{}",
        fmt::join(use.nodes.begin(), use.nodes.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
        shown < use.nodes.size() ? ", ..." : "");
  }
  if (!becoming) return "can be read";
  const std::vector<std::string> ops = becoming->of(use);
  return ops.empty() ? "nothing at run time" : fmt::format("{}", fmt::join(ops, ", "));
}

Json json_of(const graph::onnx::OperatorUse& use, const std::optional<Becoming>& becoming) {
  Json entry{{"op", use.op}, {"nodes", use.nodes}, {"readable", use.is_readable}};
  if (becoming) entry["becomes"] = becoming->of(use);
  return entry;
}

// Also of a model that cannot be read whole: then what its operators become stays open, and why is
// said.
int inspect_operators(const model::Model& model, const Inspect& options) {
  std::optional<Becoming> becoming;
  try {
    becoming.emplace(graph::from_model(model, import_options(options.model)));
  } catch (const UserError& error) {
    fmt::print(stderr, "{} {}\n", paint("note:", Colour::Yellow, stderr), error.what());
  }
  const std::vector<graph::onnx::OperatorUse> uses = graph::onnx::operator_uses(model.graph);
  if (options.json) {
    Json list = Json::array();
    for (const auto& use : uses) list.push_back(json_of(use, becoming));
    fmt::print("{}\n",
               Json{{"schema", "hone.operators/1"}, {"model", model.name}, {"operators", list}}.dump());
  } else {
    fmt::print("{:<28} {:>6}  {}\n", "operator", "nodes", "becomes");
    for (const auto& use : uses)
      fmt::print("{:<28} {:>6}  {}\n", use.op, use.nodes.size(), text_of(use, becoming));
  }
  const bool all = std::ranges::all_of(uses, &graph::onnx::OperatorUse::is_readable);
  return all ? kDone : kWrongUse;
}

}  // namespace

bool is_model_stage(const std::string& source) { return source == "graph" || source == "optimised"; }

int inspect_model(const Inspect& options) {
  if (!options.source.empty() && !is_model_stage(options.source)) {
    throw UserError(
        fmt::format("--source {} is a stage of one computation, not of a model", options.source),
        "of a model there are `--source graph` and `--source optimised`");
  }
  const model::Model model = load_model(options.input.file);
  if (!options.output.empty()) {
    model::write(model, options.output);
    fmt::print(stderr, "wrote {}\n", options.output);
    return kDone;
  }
  if (options.operators) return inspect_operators(model, options);
  graph::Graph graph = graph::from_model(model, import_options(options.model));
  if (options.tasks) return inspect_tasks(std::move(graph), options.json);
  if (options.source == "optimised") graph = graph::run_passes(std::move(graph));
  if (options.json) {
    Json report = summary_json(model, graph);
    if (!options.source.empty()) report["text"] = graph::print(graph);
    fmt::print("{}\n", report.dump());
  } else if (!options.source.empty()) {
    fmt::print("{}", graph::print(graph));
  } else {
    print_summary(model, graph);
  }
  return kDone;
}

}  // namespace hone::cli
