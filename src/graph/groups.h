// Which nodes of a graph are computed together.
#pragma once
#include <vector>

#include "graph/graph.h"

namespace hone::graph {

// Nodes that become one task, ascending. Nothing but the last one's outputs is used outside.
struct Group {
  std::vector<int> nodes;  // places in Graph::nodes
};

// Groups in an order that can run. Every node is in one, but for reshapes, which are other views of
// their input, and nodes that make nothing (a tensor without elements).
//  - A convolution, product, pool or other reduction takes the functions of elements behind it that are
//    as large as its result and that nobody else waits for: bias, activation, residual. A residual that
//    joins two of them goes to the later one.
//  - Reductions along the same rows and the functions of elements between them are one group: soft-max
//    and normalisations.
//  - A product takes the transposes in front of it, a convolution or pool its padding.
//  - A product that takes its scores has all of attention, with the transposes around it.
//  - What is left are chains of functions of elements and of elements that move.
//  - TopK and loops stand alone, and so do concatenations of more than a few: as a function of elements
//    they would look for the input of every element. So do those of what convolutions, products and
//    pools give: these can write it where it lies in the whole, and nothing is left to do.
std::vector<Group> fuse(const Graph& graph);

// Whether a group only moves elements as they are: a concatenation.
bool is_copy(const Graph& graph, const Group& group);
// Whether it is a part of its input as it lies there: a slice without steps.
bool is_part(const Graph& graph, const Group& group);

}  // namespace hone::graph
