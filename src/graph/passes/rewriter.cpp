#include "graph/passes/rewriter.h"

#include <algorithm>
#include <set>

#include "base/error.h"

namespace hone::graph {
namespace {

// A rule that still fires after so many rounds undoes its own work.
constexpr int kMaxRounds = 1000;

std::vector<int> count_readers(const Graph& graph) {
  std::vector<int> readers(graph.values.size());
  const auto read = [&](ValueId id) { ++readers[static_cast<std::size_t>(id)]; };
  for (const Node& node : graph.nodes) {
    std::ranges::for_each(std::set<ValueId>(node.inputs.begin(), node.inputs.end()), read);
  }
  std::ranges::for_each(graph.outputs, read);
  return readers;
}

// The graph after one round, and whether the rule fired.
std::pair<Graph, bool> one_round(const Graph& graph, const Rule& rule) {
  Rewriter next(graph);
  bool is_changed = false;
  for (const Node& old : graph.nodes) {
    const Node node = next.translated(old);
    const auto now = old.outputs.size() == 1 ? rule(next, node) : std::nullopt;
    if (now && next.may_replace(old.outputs.front(), *now)) {
      next.replace(old.outputs.front(), *now);
      is_changed = true;
      continue;
    }
    const std::vector<ValueId> copies = next.copy(node);
    for (std::size_t i = 0; i < copies.size(); ++i) next.replace(old.outputs[i], copies[i]);
  }
  return {next.finish(), is_changed};
}

}  // namespace

Rewriter::Rewriter(const Graph& from)
    : from_(from),
      builder_(from.name),
      now_(from.values.size(), -1),
      old_readers_(count_readers(from)) {
  for (const ValueId id : from.inputs) {
    const Value& value = from.values[static_cast<std::size_t>(id)];
    replace(id, builder_.input(value.name, value.type));
  }
  for (std::size_t id = 0; id < from.values.size(); ++id) {
    const Value& value = from.values[id];
    if (value.constant)
      replace(static_cast<ValueId>(id), builder_.constant(*value.constant, value.name));
  }
}

const Node* Rewriter::producer(ValueId id) const {
  const auto found = producers_.find(id);
  return found == producers_.end() ? nullptr : found->second;
}

bool Rewriter::has_one_reader(ValueId id) const {
  if (const auto found = readers_.find(id); found != readers_.end()) return found->second <= 1;
  const auto found = new_readers_.find(id);
  return found == new_readers_.end() || found->second <= 1;
}

ValueId Rewriter::add(Operator op, std::vector<ValueId> inputs) {
  const std::vector<ValueId> outputs = copy({name_, std::move(op), std::move(inputs), {}});
  check(outputs.size() == 1, "an operator with one output");
  return outputs.front();
}

ValueId Rewriter::map(std::vector<ValueId> inputs, const MapBody& body) {
  std::vector<ir::Scalar> types;
  for (const ValueId id : inputs) types.push_back(type(id).type);
  return add(make_map(types, body), std::move(inputs));
}

Node Rewriter::translated(const Node& old) {
  name_after(old);
  Node node = old;
  for (ValueId& id : node.inputs) id = translated(id);
  return node;
}

ValueId Rewriter::translated(ValueId old) const {
  const ValueId now = now_[static_cast<std::size_t>(old)];
  check(now >= 0, "producers stand before consumers");
  return now;
}

std::vector<ValueId> Rewriter::copy(const Node& node) {
  const std::vector<ValueId> outputs = builder_.add(node.name, node.op, node.inputs);
  if (constant_of(outputs.front())) return outputs;
  nodes_.push_back({node.name, node.op, node.inputs, outputs});
  for (const ValueId id : outputs) producers_[id] = &nodes_.back();
  for (const ValueId id : std::set<ValueId>(node.inputs.begin(), node.inputs.end())) ++new_readers_[id];
  return outputs;
}

void Rewriter::replace(ValueId old, ValueId now) {
  const auto place = static_cast<std::size_t>(old);
  check(type(now) == from_.values[place].type, "a value is replaced by one of its type");
  now_[place] = now;
  const bool is_output = std::ranges::count(from_.outputs, old) > 0;
  if (is_output || !readers_.contains(now)) builder_.rename(now, from_.values[place].name);
  if (is_output) outputs_.emplace(now, old);
  readers_[now] += old_readers_[place];
}

bool Rewriter::may_replace(ValueId old, ValueId now) const {
  if (std::ranges::count(from_.outputs, old) == 0) return true;
  const bool is_input = !producer(now) && !constant_of(now);
  const bool is_other_output = outputs_.contains(now) && outputs_.at(now) != old;
  return !is_input && !is_other_output;
}

void Rewriter::replace_output(ValueId old, ValueId now) {
  if (now_[static_cast<std::size_t>(old)] == now) return;
  const bool is_free = may_replace(old, now);
  replace(old, is_free ? now : map({now}, [](const auto& x) { return x[0]; }));
}

Graph Rewriter::finish() {
  std::vector<ValueId> outputs;
  for (const ValueId id : from_.outputs) outputs.push_back(translated(id));
  return without_dead(builder_.finish(std::move(outputs)));
}

Graph rewrite(const Graph& graph, const Rule& rule) {
  Graph current = graph;
  for (int round = 0; round < kMaxRounds; ++round) {
    auto [next, is_changed] = one_round(current, rule);
    current = std::move(next);
    if (!is_changed) return current;
  }
  fail("a rewriting rule does not come to an end");
}

Graph rewrite_once(const Graph& graph, const Rule& rule) { return one_round(graph, rule).first; }

Graph without_dead(Graph graph) {
  std::vector<bool> is_needed(graph.values.size());
  const auto need = [&](ValueId id) { is_needed[static_cast<std::size_t>(id)] = true; };
  const auto needed = [&](ValueId id) { return is_needed[static_cast<std::size_t>(id)]; };
  std::ranges::for_each(graph.outputs, need);
  std::ranges::for_each(graph.inputs, need);
  std::vector<Node> nodes;
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    if (std::ranges::none_of(node->outputs, needed)) continue;
    std::ranges::for_each(node->inputs, need);
    std::ranges::for_each(node->outputs, need);
    nodes.push_back(std::move(*node));
  }
  std::ranges::reverse(nodes);
  Graph result{graph.name, {}, std::move(nodes), std::move(graph.inputs), std::move(graph.outputs)};
  std::vector<ValueId> now(graph.values.size(), -1);
  for (std::size_t id = 0; id < graph.values.size(); ++id) {
    if (!is_needed[id]) continue;
    now[id] = static_cast<ValueId>(result.values.size());
    result.values.push_back(std::move(graph.values[id]));
  }
  const auto renumber = [&](std::vector<ValueId>& ids) {
    for (ValueId& id : ids) id = now[static_cast<std::size_t>(id)];
  };
  for (Node& node : result.nodes) {
    renumber(node.inputs);
    renumber(node.outputs);
  }
  renumber(result.inputs);
  renumber(result.outputs);
  return result;
}

}  // namespace hone::graph
