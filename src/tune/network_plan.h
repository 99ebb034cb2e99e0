// What there is to tune in networks: their distinct tasks, and where one computation can be worked out
// in several ways, the choice between them.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/operators.h"
#include "task/task.h"

namespace hone::tune {

struct Alternative {
  graph::Algorithm algorithm = graph::Algorithm::Direct;
  int task = 0;  // among Plan::tasks
};

// A computation that occurs once or often in the networks. Equal ones are one choice: what is fast in
// one place is so in the other.
struct Choice {
  std::vector<Alternative> alternatives;  // what is emitted untuned first
  std::vector<double> uses;               // how often a run of each network does it
  std::string name;                       // of the first alternative's task, for people
  double flop = 0;                        // of one use, by the plain definition
};

struct PlannedNetwork {
  graph::Graph graph;  // after its passes
  struct Place {
    int node = 0;  // a convolution or product of the graph
    int choice = 0;
  };
  std::vector<Place> places;  // nodes whose algorithm is chosen
};

struct Plan {
  std::vector<PlannedNetwork> networks;
  std::vector<std::shared_ptr<const task::Task>> tasks;
  std::vector<Choice> choices;
};

struct PlanOptions {
  bool exact = false;  // only algorithms that round as the definition does
};

// Of graphs after their passes.
Plan plan_networks(std::vector<graph::Graph> graphs, const PlanOptions& options);

// The network with an algorithm for each choice: `chosen[i]` is the place of choice i's alternative.
graph::Graph with_algorithms(const Plan& plan, std::size_t network, const std::vector<int>& chosen);

}  // namespace hone::tune
