#include "tune/network_plan.h"

#include <algorithm>
#include <map>
#include <optional>

#include "artefact/task_program.h"
#include "graph/algorithms.h"
#include "graph/blocks.h"
#include "graph/builder.h"
#include "graph/flops.h"
#include "graph/groups.h"
#include "graph/layout.h"
#include "graph/passes.h"
#include "task/analysis.h"
#include "task/from_graph.h"
#include "tune/handovers.h"
#include "tune/worthwhile.h"

namespace hone::tune {
namespace {

using graph::Algorithm;
using graph::Form;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Of a convolution or product; null for any other node.
Algorithm* algorithm_of(graph::Node& node) {
  if (auto* conv = std::get_if<graph::Conv>(&node.op)) return &conv->algorithm;
  if (auto* conv = std::get_if<graph::ConvTranspose>(&node.op)) return &conv->algorithm;
  if (auto* product = std::get_if<graph::MatMul>(&node.op)) return &product->algorithm;
  return nullptr;
}

bool is_transposition(const graph::Graph& graph, const graph::Group& group) {
  return group.nodes.size() == 1 &&
         std::holds_alternative<graph::Transpose>(graph.nodes[at(group.nodes[0])].op);
}

// A value that is channels last in another layout.
graph::Graph converted(const graph::ValueType& type, Form form, std::int64_t lanes) {
  graph::Builder builder;
  graph::ValueId value = builder.input("last", type);
  graph::Order order = graph::inverse(graph::channels_last(type.shape.size()));
  if (form == Form::Blocked) {
    const std::int64_t block = graph::block_of(type.shape.back(), lanes);
    const graph::ToBlocks to =
        graph::image_to_blocks(type.shape, graph::identity_order(type.shape.size()), block);
    value = builder.apply("split", graph::Reshape{to.split}, {value});
    order = to.order;
  }
  return graph::simplify_views(
      builder.finish({builder.apply("converted", graph::Transpose{order}, {value})}));
}

class Planner {
 public:
  Planner(std::size_t networks, const PlanOptions& options) : networks_(networks), options_(options) {
    plan_.lanes = options.lanes;
  }

  void add(graph::Graph graph) {
    plan_.networks.push_back({std::move(graph), {}, {}});
    add_groups(plan_.networks.back().graph, 1, true);
  }

  // Other forms come last: what they are numbered does not change the numbers of what is always there.
  Plan finish() {
    for (std::size_t n = 0; n < plan_.networks.size(); ++n) {
      PlannedNetwork& network = plan_.networks[n];
      for (std::size_t p = 0; p < network.places.size(); ++p)
        add_forms(network.graph, groups_[n][p], network.places[p].options);
      network.handovers =
          handovers(network.graph, network.places,
                    [&](const graph::ValueType& type, Form form) { return conversion_of(type, form); });
    }
    return std::move(plan_);
  }

 private:
  // There are no places in the bodies of loops: there is one artefact program for all trips, so that
  // only what is emitted untuned is searched for.
  void add_groups(graph::Graph& graph, double uses, bool has_places) {
    groups_.resize(plan_.networks.size());
    for (const graph::Group& group : graph::fuse(graph)) {
      const graph::Node& first = graph.nodes[at(group.nodes.front())];
      if (std::holds_alternative<graph::TopK>(first.op)) continue;
      // There is nothing to tune where nothing is computed; a part is a view of what it is a part of.
      if (graph::is_copy(graph, group) || graph::is_part(graph, group)) continue;
      if (const auto* loop = std::get_if<graph::Loop>(&first.op)) {
        graph::Graph body = *loop->body;
        add_groups(body, uses * static_cast<double>(loop->trips), false);
        continue;
      }
      const std::optional<int> node = has_places ? node_with_choice(graph, group) : std::nullopt;
      const int choice = add_choice(graph, group, node);
      plan_.choices[at(choice)].uses[plan_.networks.size() - 1] += uses;
      if (!node) continue;
      plan_.networks.back().places.push_back({*node, {{Form::Plain, {choice}}}});
      groups_.back().push_back(group);
    }
  }

  static std::optional<int> node_with_choice(graph::Graph& graph, const graph::Group& group) {
    for (const int n : group.nodes) {
      graph::Node& node = graph.nodes[at(n)];
      if (algorithm_of(node) != nullptr || std::holds_alternative<graph::Pool>(node.op)) return n;
    }
    return std::nullopt;
  }

  // To the plain one; groups of equal plain choices have equal forms.
  void add_forms(const graph::Graph& graph, const graph::Group& group, std::vector<Option>& options) {
    const auto [known, is_new] = options_of_choice_.try_emplace(options[0].choices[0], options);
    const std::vector<Form> all =
        is_new ? graph::forms(graph, group, options_.lanes) : std::vector<Form>{};
    for (const Form form : all) {
      if (form == Form::Plain) continue;
      std::vector<int> choices = choices_of(graph, group, form);
      if (graph::is_layout(form) && choices.size() != 1) continue;  // it would fall apart
      known->second.push_back({form, std::move(choices)});
    }
    options = known->second;
  }

  // What the group consists of in another form; transpositions are what it costs its neighbours.
  std::vector<int> choices_of(const graph::Graph& graph, const graph::Group& group, Form form) {
    graph::Graph alone = graph::in_forms(graph::part(graph, group), {{0, form}}, options_.lanes);
    std::vector<int> choices;
    for (const graph::Group& one : graph::fuse(alone)) {
      if (graph::is_layout(form) && is_transposition(alone, one)) continue;
      choices.push_back(add_choice(alone, one, node_with_choice(alone, one), form));
    }
    return choices;
  }

  int add_choice(graph::Graph& graph, const graph::Group& group, std::optional<int> node,
                 Form form = Form::Plain) {
    std::vector<Alternative> alternatives = alternatives_of(graph, group, node);
    std::vector<int> key;
    for (const Alternative& one : alternatives) key.push_back(one.task);
    const auto [known, is_new] =
        choices_.try_emplace(std::move(key), static_cast<int>(plan_.choices.size()));
    if (is_new) {
      const task::Task& first = *plan_.tasks[at(alternatives.front().task)];
      const double flop = flop_of(graph, group);
      plan_.choices.push_back({.alternatives = std::move(alternatives),
                               .uses = std::vector<double>(networks_),
                               .form = form,
                               .name = first.name,
                               .flop = flop > 0 ? flop : task::flop_count(first)});
    }
    return known->second;
  }

  std::vector<Alternative> alternatives_of(graph::Graph& graph, const graph::Group& group,
                                           std::optional<int> node) {
    Algorithm* algorithm = node ? algorithm_of(graph.nodes[at(*node)]) : nullptr;
    if (algorithm == nullptr) return {{Algorithm::Direct, task_of(graph, group)}};
    std::vector<Alternative> all;
    const Algorithm untuned = *algorithm;
    for (const Algorithm one : graph::algorithms(graph, graph.nodes[at(*node)])) {
      if (options_.exact && !graph::is_exact(one)) continue;
      *algorithm = one;
      const int task = task_of(graph, group);
      const auto is_same = [&](const Alternative& other) { return other.task == task; };
      if (std::ranges::none_of(all, is_same)) all.push_back({one, task});
    }
    *algorithm = untuned;
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

  int conversion_of(const graph::ValueType& type, Form form) {
    const graph::Graph graph = converted(type, form, options_.lanes);
    const std::vector<graph::Group> groups = graph::fuse(graph);
    if (groups.empty()) return -1;
    task::Task task = task::from_graph(graph, groups.front()).task;
    const auto [known, is_new] = conversions_.try_emplace(artefact::identity_of(task),
                                                          static_cast<int>(plan_.conversions.size()));
    if (is_new) plan_.conversions.push_back(std::make_shared<const task::Task>(std::move(task)));
    return known->second;
  }

  const std::size_t networks_;
  const PlanOptions options_;
  Plan plan_;
  std::map<std::string, int> tasks_, conversions_;  // by identity
  std::map<std::vector<int>, int> choices_;         // by their tasks
  std::map<int, std::vector<Option>> options_of_choice_;
  std::vector<std::vector<graph::Group>> groups_;  // of places, a network
};

}  // namespace

Plan plan_networks(std::vector<graph::Graph> graphs, const PlanOptions& options) {
  Planner planner(graphs.size(), options);
  for (graph::Graph& graph : graphs) planner.add(std::move(graph));
  if (!options.estimate) return planner.finish();
  return worthwhile(planner.finish(), options.estimate, options.tries_blocks);
}

int conversion_of(const Handover& handover, Form form) {
  return form == Form::ChannelsFirst ? handover.to_first
         : form == Form::Blocked     ? handover.to_blocks
                                     : -1;
}

bool has_form(const Place& place, Form form) {
  return std::ranges::any_of(place.options, [&](const Option& option) { return option.form == form; });
}

bool has_layouts(const Place& place) {
  return has_form(place, Form::ChannelsFirst) || has_form(place, Form::Blocked);
}

std::vector<double> uses_of(const Plan& plan, std::size_t network, const std::vector<int>& options) {
  std::vector<double> uses;
  for (const Choice& choice : plan.choices) uses.push_back(choice.uses[network]);
  const std::vector<Place>& places = plan.networks[network].places;
  for (std::size_t p = 0; p < places.size(); ++p) {
    for (const int choice : places[p].options[0].choices) uses[at(choice)] -= 1;
    for (const int choice : places[p].options[at(options[p])].choices) uses[at(choice)] += 1;
  }
  return uses;
}

bool are_weights_cold(const Plan& plan, const target::Target& target) {
  std::int64_t bytes = 0;
  for (const PlannedNetwork& network : plan.networks) {
    for (const graph::Value& value : network.graph.values) {
      if (value.constant) bytes += std::ssize(value.constant->bytes());
    }
  }
  return !target.caches.empty() && bytes > target.caches.back().size_bytes;
}

std::vector<double> possible_uses(const Plan& plan, std::size_t network) {
  std::vector<double> uses;
  for (const Choice& choice : plan.choices) uses.push_back(choice.uses[network]);
  for (const Place& place : plan.networks[network].places) {
    for (std::size_t o = 1; o < place.options.size(); ++o) {
      for (const int choice : place.options[o].choices) uses[at(choice)] += 1;
    }
  }
  return uses;
}

graph::Graph arranged(const Plan& plan, std::size_t network, const std::vector<int>& options,
                      const std::vector<int>& alternatives) {
  graph::Graph graph = plan.networks[network].graph;
  const std::vector<Place>& places = plan.networks[network].places;
  std::map<int, Form> forms;
  for (std::size_t p = 0; p < places.size(); ++p) {
    const Option& option = places[p].options[at(options[p])];
    if (option.form != Form::Plain) forms[places[p].node] = option.form;
    Algorithm* algorithm = algorithm_of(graph.nodes[at(places[p].node)]);
    if (algorithm == nullptr || option.choices.size() != 1) continue;
    const int choice = option.choices[0];
    *algorithm = plan.choices[at(choice)].alternatives[at(alternatives[at(choice)])].algorithm;
  }
  return graph::in_forms(graph, forms, plan.lanes);
}

}  // namespace hone::tune
