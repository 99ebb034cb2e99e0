// Partitioned boolean quadratic programming by reduction: a node with few neighbours is replaced by
// what its best answer to each of their choices costs, until no node is left; then the nodes come back
// in reverse order and answer the choices that were made.
#include "tune/choice.h"

#include <algorithm>
#include <limits>
#include <map>

#include "base/error.h"

namespace hone::tune {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Costs = std::vector<double>;
// By neighbour: what each alternative of a node costs beside each one of the neighbour's, whose
// alternatives are adjacent.
using Edges = std::map<int, Costs>;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// Each node with all its edges; an edge stands at both its ends.
struct Links {
  std::vector<Costs> nodes;
  std::vector<Edges> edges;
};

void add_edge(Links& links, int a, int b, const Costs& cost) {
  const std::size_t rows = links.nodes[at(a)].size(), columns = links.nodes[at(b)].size();
  Costs& forth = links.edges[at(a)].try_emplace(b, rows * columns, 0).first->second;
  Costs& back = links.edges[at(b)].try_emplace(a, rows * columns, 0).first->second;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      forth[i * columns + j] += cost[i * columns + j];
      back[j * rows + i] += cost[i * columns + j];
    }
  }
}

bool none_is_negative(const Costs& costs) {
  return std::ranges::all_of(costs, [](double cost) { return cost >= 0; });
}

Links links_of(const ChoiceProblem& problem) {
  Links links{problem.node_cost, std::vector<Edges>(problem.node_cost.size())};
  for (const Costs& costs : links.nodes) {
    check(!costs.empty() && none_is_negative(costs), "every node has alternatives that cost something");
  }
  for (const ChoiceProblem::Edge& edge : problem.edges) {
    check(edge.a != edge.b, "an edge joins two nodes");
    check(edge.cost.size() == links.nodes.at(at(edge.a)).size() * links.nodes.at(at(edge.b)).size(),
          "an edge has a cost for each pair of alternatives");
    check(none_is_negative(edge.cost), "an edge saves nothing");
    add_edge(links, edge.a, edge.b, edge.cost);
  }
  return links;
}

// What the node's alternatives cost beside the neighbours' choices.
Costs costs_beside(Costs costs, const Edges& edges, const std::vector<int>& choice) {
  for (const auto& [neighbour, cost] : edges) {
    const std::size_t columns = cost.size() / costs.size();
    for (std::size_t i = 0; i < costs.size(); ++i) {
      costs[i] += cost[i * columns + at(choice[at(neighbour)])];
    }
  }
  return costs;
}

int cheapest(const Costs& costs) {
  return static_cast<int>(std::ranges::min_element(costs) - costs.begin());
}

class Reduction {
 public:
  explicit Reduction(Links links) : links_(std::move(links)), is_left_(links_.nodes.size(), true) {}

  std::vector<int> solve();
  bool is_exact() const { return is_exact_; }

 private:
  int next_node() const;
  void answer_one(int node);
  void answer_two(int node);
  void decide(int node);
  std::size_t degree(int node) const { return links_.edges[at(node)].size(); }

  Links links_;
  std::vector<bool> is_left_;
  bool is_exact_ = true;
};

// One with the fewest neighbours, or the one with the most when all have more than two: deciding it
// frees the most others.
int Reduction::next_node() const {
  int fewest = -1, most = -1;
  for (int node = 0; node < static_cast<int>(is_left_.size()); ++node) {
    if (!is_left_[at(node)]) continue;
    if (fewest < 0 || degree(node) < degree(fewest)) fewest = node;
    if (most < 0 || degree(node) > degree(most)) most = node;
  }
  return degree(fewest) <= 2 ? fewest : most;
}

void Reduction::answer_one(int node) {
  const auto& [neighbour, cost] = *links_.edges[at(node)].begin();
  const Costs& own = links_.nodes[at(node)];
  Costs& theirs = links_.nodes[at(neighbour)];
  for (std::size_t j = 0; j < theirs.size(); ++j) {
    double best = kInfinity;
    for (std::size_t i = 0; i < own.size(); ++i) {
      best = std::min(best, own[i] + cost[i * theirs.size() + j]);
    }
    theirs[j] += best;
  }
}

void Reduction::answer_two(int node) {
  const auto& [a, cost_a] = *links_.edges[at(node)].begin();
  const auto& [b, cost_b] = *links_.edges[at(node)].rbegin();
  const Costs& own = links_.nodes[at(node)];
  const std::size_t rows = links_.nodes[at(a)].size(), columns = links_.nodes[at(b)].size();
  Costs joint(rows * columns, kInfinity);
  for (std::size_t i = 0; i < own.size(); ++i) {
    for (std::size_t j = 0; j < rows; ++j) {
      for (std::size_t k = 0; k < columns; ++k) {
        joint[j * columns + k] =
            std::min(joint[j * columns + k], own[i] + cost_a[i * rows + j] + cost_b[i * columns + k]);
      }
    }
  }
  add_edge(links_, a, b, joint);
}

// Takes the alternative that is the cheapest when every neighbour answers it alone.
void Reduction::decide(int node) {
  is_exact_ = false;
  const Edges& edges = links_.edges[at(node)];
  Costs own = links_.nodes[at(node)];
  for (const auto& [neighbour, cost] : edges) {
    const Costs& theirs = links_.nodes[at(neighbour)];
    for (std::size_t i = 0; i < own.size(); ++i) {
      double best = kInfinity;
      for (std::size_t j = 0; j < theirs.size(); ++j) {
        best = std::min(best, theirs[j] + cost[i * theirs.size() + j]);
      }
      own[i] += best;
    }
  }
  const std::size_t taken = at(cheapest(own));
  for (const auto& [neighbour, cost] : edges) {
    Costs& theirs = links_.nodes[at(neighbour)];
    for (std::size_t j = 0; j < theirs.size(); ++j) theirs[j] += cost[taken * theirs.size() + j];
  }
}

std::vector<int> Reduction::solve() {
  struct Removed {
    int node;
    Edges edges;
  };
  std::vector<Removed> removed;
  while (removed.size() < is_left_.size()) {
    const int node = next_node();
    if (degree(node) == 1) answer_one(node);
    if (degree(node) == 2) answer_two(node);
    if (degree(node) > 2) decide(node);
    for (const auto& [neighbour, cost] : links_.edges[at(node)])
      links_.edges[at(neighbour)].erase(node);
    is_left_[at(node)] = false;
    removed.push_back({node, std::move(links_.edges[at(node)])});
  }
  std::vector<int> choice(is_left_.size(), 0);
  for (; !removed.empty(); removed.pop_back()) {
    const auto& [node, edges] = removed.back();
    choice[at(node)] = cheapest(costs_beside(links_.nodes[at(node)], edges, choice));
  }
  return choice;
}

// Changes single nodes until none of them gets cheaper.
void improve(const Links& links, std::vector<int>& choice) {
  bool has_changed = true;
  while (has_changed) {
    has_changed = false;
    for (std::size_t node = 0; node < choice.size(); ++node) {
      const Costs costs = costs_beside(links.nodes[node], links.edges[node], choice);
      const int best = cheapest(costs);
      // A margin against rounding, so that two equal choices do not alternate for ever.
      if (!(costs[at(best)] < costs[at(choice[node])] * (1 - 1e-12))) continue;
      choice[node] = best;
      has_changed = true;
    }
  }
}

}  // namespace

double cost_of(const ChoiceProblem& problem, const std::vector<int>& choice) {
  double cost = 0;
  for (std::size_t node = 0; node < choice.size(); ++node) {
    cost += problem.node_cost[node][at(choice[node])];
  }
  for (const ChoiceProblem::Edge& edge : problem.edges) {
    const std::size_t columns = problem.node_cost[at(edge.b)].size();
    cost += edge.cost[at(choice[at(edge.a)]) * columns + at(choice[at(edge.b)])];
  }
  return cost;
}

std::vector<int> choose(const ChoiceProblem& problem) {
  const Links links = links_of(problem);
  Reduction reduction(links);
  std::vector<int> best = reduction.solve();
  if (reduction.is_exact()) return best;
  improve(links, best);
  std::size_t most = 0;
  for (const Costs& costs : links.nodes) most = std::max(most, costs.size());
  for (std::size_t alternative = 0; alternative < most; ++alternative) {
    std::vector<int> same;
    for (const Costs& costs : links.nodes) {
      same.push_back(static_cast<int>(std::min(alternative, costs.size() - 1)));
    }
    improve(links, same);
    if (cost_of(problem, same) < cost_of(problem, best)) best = same;
  }
  return best;
}

}  // namespace hone::tune
