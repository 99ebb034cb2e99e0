// Runs the groups of a graph as compiled tasks and compares them with the graph's plain definition.
#pragma once
#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/groups.h"
#include "target/target.h"

namespace hone::groups {

struct Outcome {
  int kernels = 0;
  std::string fault;  // the first one, with all that is needed to see it again; empty: none
};

// Every group on the values that the definition gives to its inputs, so that a fault is found where it
// arises. `slack` widens what counts as rounding. Groups must hold every node that computes something,
// in an order that can run.
Outcome run_groups(const graph::Graph& graph, const std::vector<graph::Tensor>& inputs,
                   const target::Target& target, double slack = 1);

// Inputs for a graph, the same for the same seed: floats from [-1, 1), integers and bools small.
std::vector<graph::Tensor> random_inputs(const graph::Graph& graph, std::uint64_t seed);
graph::Tensor random_tensor(const graph::ValueType& type, std::uint64_t seed, int number);

}  // namespace hone::groups
