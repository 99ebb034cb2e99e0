// One alternative for every node of a graph, so that nodes and the edges between them cost the least
// together: which algorithm and layout each operator of a network gets, conversions being the edges.
#pragma once
#include <vector>

namespace hone::tune {

// Costs are not negative. Infinity says that an alternative, or a pair of them, cannot be taken.
struct ChoiceProblem {
  struct Edge {
    int a, b;
    std::vector<double> cost;  // of each alternative of a beside each of b; those of b are adjacent
  };
  std::vector<std::vector<double>> node_cost;  // one entry an alternative, at least one a node
  std::vector<Edge> edges;                     // two nodes may share several
};

// The alternative of each node. The best there is where the graph can be taken apart by nodes with at
// most two neighbours, as chains, trees, residual blocks and branches that meet again can; elsewhere a
// choice that no change of one node improves and that is no worse than the same alternative everywhere.
std::vector<int> choose(const ChoiceProblem& problem);

double cost_of(const ChoiceProblem& problem, const std::vector<int>& choice);

}  // namespace hone::tune
