// The nodes of one group on their own, with shapes that may be simpler than the graph's.
#pragma once
#include <map>
#include <vector>

#include "graph/graph.h"
#include "graph/groups.h"

namespace hone::task::define {

struct Piece {
  std::vector<graph::Node> nodes;
  std::map<graph::ValueId, graph::Shape> shapes;  // of every value that they read or make
};

Piece piece_of(const graph::Graph& graph, const graph::Group& group);

// Makes neighbouring dimensions one where every node of the piece walks them together, and leaves out
// those of extent 1: [1, 128, 768] by [768, 768] is the product of two matrices, and a function of
// [8, 64, 7, 7] elements is one of 25088. The order of the elements in memory stays. Pieces of other
// nodes than maps, reductions and products stay as they are.
void collapse(Piece& piece);

}  // namespace hone::task::define
