#include "tune/network_plan.h"

#include <algorithm>
#include <map>
#include <optional>

#include "artefact/task_program.h"
#include "graph/algorithms.h"
#include "graph/flops.h"
#include "graph/groups.h"
#include "task/analysis.h"
#include "task/from_graph.h"

namespace hone::tune {
namespace {

using graph::Algorithm;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Of a convolution or product; null for any other node.
Algorithm* algorithm_of(graph::Node& node) {
  if (auto* conv = std::get_if<graph::Conv>(&node.op)) return &conv->algorithm;
  if (auto* conv = std::get_if<graph::ConvTranspose>(&node.op)) return &conv->algorithm;
  if (auto* product = std::get_if<graph::MatMul>(&node.op)) return &product->algorithm;
  return nullptr;
}

class Planner {
 public:
  Planner(std::size_t networks, const PlanOptions& options) : networks_(networks), options_(options) {}

  void add(graph::Graph graph) {
    PlannedNetwork network;
    add_groups(graph, 1, &network);
    network.graph = std::move(graph);
    plan_.networks.push_back(std::move(network));
  }
  Plan finish() { return std::move(plan_); }

 private:
  // `network` is null in the bodies of loops: there is one artefact program for all trips, so that only
  // what is emitted untuned is searched for.
  void add_groups(graph::Graph& graph, double uses, PlannedNetwork* network) {
    for (const graph::Group& group : graph::fuse(graph)) {
      const graph::Node& first = graph.nodes[at(group.nodes.front())];
      if (std::holds_alternative<graph::TopK>(first.op) || graph::is_copy(graph, group)) continue;
      if (const auto* loop = std::get_if<graph::Loop>(&first.op)) {
        graph::Graph body = *loop->body;
        add_groups(body, uses * static_cast<double>(loop->trips), nullptr);
        continue;
      }
      const std::optional<int> node =
          network != nullptr ? node_with_choice(graph, group) : std::nullopt;
      const int choice = add_choice(alternatives_of(graph, group, node), flop_of(graph, group));
      plan_.choices[at(choice)].uses[plan_.networks.size()] += uses;
      if (node) network->places.push_back({*node, choice});
    }
  }

  static std::optional<int> node_with_choice(graph::Graph& graph, const graph::Group& group) {
    for (const int n : group.nodes) {
      if (algorithm_of(graph.nodes[at(n)]) != nullptr) return n;
    }
    return std::nullopt;
  }

  std::vector<Alternative> alternatives_of(graph::Graph& graph, const graph::Group& group,
                                           std::optional<int> node) {
    if (!node) return {{Algorithm::Direct, task_of(graph, group)}};
    std::vector<Alternative> all;
    Algorithm& algorithm = *algorithm_of(graph.nodes[at(*node)]);
    const Algorithm untuned = algorithm;
    for (const Algorithm one : graph::algorithms(graph, graph.nodes[at(*node)])) {
      if (options_.exact && !graph::is_exact(one)) continue;
      algorithm = one;
      const int task = task_of(graph, group);
      const auto is_same = [&](const Alternative& other) { return other.task == task; };
      if (std::ranges::none_of(all, is_same)) all.push_back({one, task});
    }
    algorithm = untuned;
    return all;
  }

  int task_of(const graph::Graph& graph, const graph::Group& group) {
    task::Task task = task::from_graph(graph, group).task;
    const auto [known, is_new] =
        tasks_.try_emplace(artefact::identity_of(task), static_cast<int>(plan_.tasks.size()));
    if (is_new) plan_.tasks.push_back(std::make_shared<const task::Task>(std::move(task)));
    return known->second;
  }

  // Of the convolutions and products; 0 when there are none.
  static double flop_of(const graph::Graph& graph, const graph::Group& group) {
    double flop = 0;
    for (const int n : group.nodes) flop += graph::flop_count(graph, graph.nodes[at(n)]);
    return flop;
  }

  int add_choice(std::vector<Alternative> alternatives, double flop) {
    std::vector<int> key;
    for (const Alternative& one : alternatives) key.push_back(one.task);
    const auto [known, is_new] =
        choices_.try_emplace(std::move(key), static_cast<int>(plan_.choices.size()));
    if (is_new) {
      const task::Task& first = *plan_.tasks[at(alternatives.front().task)];
      plan_.choices.push_back({.alternatives = std::move(alternatives),
                               .uses = std::vector<double>(networks_),
                               .name = first.name,
                               .flop = flop > 0 ? flop : task::flop_count(first)});
    }
    return known->second;
  }

  const std::size_t networks_;
  const PlanOptions options_;
  Plan plan_;
  std::map<std::string, int> tasks_;         // by identity
  std::map<std::vector<int>, int> choices_;  // by their tasks
};

}  // namespace

Plan plan_networks(std::vector<graph::Graph> graphs, const PlanOptions& options) {
  Planner planner(graphs.size(), options);
  for (graph::Graph& graph : graphs) planner.add(std::move(graph));
  return planner.finish();
}

graph::Graph with_algorithms(const Plan& plan, std::size_t network, const std::vector<int>& chosen) {
  graph::Graph graph = plan.networks[network].graph;
  for (const PlannedNetwork::Place& place : plan.networks[network].places) {
    const std::vector<Alternative>& all = plan.choices[at(place.choice)].alternatives;
    *algorithm_of(graph.nodes[at(place.node)]) = all[at(chosen[at(place.choice)])].algorithm;
  }
  return graph;
}

}  // namespace hone::tune
