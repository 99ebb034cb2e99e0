#include "graph/onnx/node_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <queue>
#include <set>
#include <unordered_map>

#include "base/error.h"
#include "graph/onnx/node_name.h"

namespace hone::graph::onnx {
namespace {

// The names that a node reads, those that its subgraphs take from around them included.
void add_reads(const model::Node& node, std::set<std::string>& names) {
  names.insert(node.inputs.begin(), node.inputs.end());
  for (const auto& [name, attribute] : node.attributes) {
    const auto* body = std::get_if<std::shared_ptr<const model::Nodes>>(&attribute);
    if (body == nullptr || *body == nullptr) continue;
    std::set<std::string> inner((*body)->outputs.begin(), (*body)->outputs.end());
    for (const model::Node& child : (*body)->nodes) add_reads(child, inner);
    for (const model::Node& child : (*body)->nodes) {
      for (const std::string& output : child.outputs) inner.erase(output);
    }
    for (const std::string& input : (*body)->inputs) inner.erase(input);
    for (const auto& [initializer, tensor] : (*body)->initializers) inner.erase(initializer);
    names.merge(inner);
  }
}

class Order {
 public:
  using IsDefined = std::function<bool(const std::string&)>;

  Order(const model::Nodes& nodes, const IsDefined& is_defined_outside)
      : nodes_(nodes.nodes), is_defined_outside_(is_defined_outside), reads_(nodes_.size()) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) define(i);
  }

  std::vector<const model::Node*> run(const std::vector<std::string>& outputs) {
    mark_needed(outputs);
    std::vector<std::size_t> missing(nodes_.size());  // producers that have not been read
    std::vector<std::vector<std::size_t>> readers(nodes_.size());
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!is_needed_[i]) continue;
      missing[i] = reads_[i].size();
      for (const std::size_t producer : reads_[i]) readers[producer].push_back(i);
      if (missing[i] == 0) ready.push(i);
    }
    std::vector<const model::Node*> order;
    while (!ready.empty()) {
      const std::size_t next = ready.top();
      ready.pop();
      order.push_back(&nodes_[next]);
      for (const std::size_t reader : readers[next]) {
        if (--missing[reader] == 0) ready.push(reader);
      }
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (missing[i] != 0) refuse_cycle(i, missing);
    }
    return order;
  }

 private:
  void define(std::size_t i) {
    for (const std::string& output : nodes_[i].outputs) {
      if (output.empty()) continue;
      const auto [at, is_new] = producers_.emplace(output, i);
      if (is_new && !is_defined_outside_(output)) continue;
      throw UserError(fmt::format("`{}` is defined twice: by {} and by {}", output, label_of(nodes_[i]),
                                  is_new ? "an input, an initialiser or a value around it"
                                         : label_of(nodes_[at->second])),
                      "the file is damaged: export the model again");
    }
  }

  // The node that gives a value; none when it comes from outside.
  std::optional<std::size_t> producer_of(const std::string& name, const std::string& reader) const {
    if (const auto at = producers_.find(name); at != producers_.end()) return at->second;
    if (is_defined_outside_(name)) return std::nullopt;
    throw UserError(fmt::format("{} reads `{}`, which nothing in the model defines", reader, name),
                    "the file lacks an initialiser or an input: export the model again");
  }

  void mark_needed(const std::vector<std::string>& outputs) {
    is_needed_.assign(nodes_.size(), false);
    std::vector<std::size_t> open;
    const auto need = [&](std::size_t node) {
      if (!is_needed_[node]) open.push_back(node);
      is_needed_[node] = true;
    };
    for (const std::string& output : outputs) {
      if (const auto producer = producer_of(output, "the list of outputs")) need(*producer);
    }
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      std::set<std::string> names;
      add_reads(nodes_[node], names);
      names.erase("");
      std::set<std::size_t> producers;
      for (const std::string& name : names) {
        if (const auto producer = producer_of(name, label_of(nodes_[node])))
          producers.insert(*producer);
      }
      for (const std::size_t producer : producers) need(producer);
      reads_[node].assign(producers.begin(), producers.end());
    }
  }

  // Walks backwards among the nodes that could not be read until one comes again.
  [[noreturn]] void refuse_cycle(std::size_t node, const std::vector<std::size_t>& missing) const {
    std::vector<std::size_t> path;
    while (std::ranges::find(path, node) == path.end()) {
      path.push_back(node);
      node = *std::ranges::find_if(reads_[node],
                                   [&](std::size_t producer) { return missing[producer] != 0; });
    }
    path.erase(path.begin(), std::ranges::find(path, node));
    std::ranges::reverse(path);
    constexpr std::size_t kShown = 8;
    std::string names;
    for (std::size_t i = 0; i < std::min(path.size(), kShown); ++i)
      names += fmt::format("{}`{}`", i == 0 ? "" : " -> ", name_of(nodes_[path[i]]));
    throw UserError(fmt::format("{} {} in a circle: {}{}", path.size(),
                                path.size() == 1 ? "node reads" : "nodes read", names,
                                path.size() > kShown ? " -> ..." : ""),
                    "the file is damaged: export the model again");
  }

  const std::vector<model::Node>& nodes_;
  const IsDefined& is_defined_outside_;
  std::unordered_map<std::string, std::size_t> producers_;
  std::vector<std::vector<std::size_t>> reads_;  // producers of what a node reads, each once
  std::vector<bool> is_needed_;
};

}  // namespace

std::vector<const model::Node*> node_order(
    const model::Nodes& nodes, const std::vector<std::string>& outputs,
    const std::function<bool(const std::string&)>& is_defined_outside) {
  return Order(nodes, is_defined_outside).run(outputs);
}

}  // namespace hone::graph::onnx
