// Scores, their soft-max and the product with it become one task, whose scores never leave a core.
#include "graph/attention.h"
#include "graph/passes.h"

namespace hone::graph {

Graph join_attention(const Graph& graph) {
  Graph joined = graph;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    auto* product = std::get_if<MatMul>(&joined.nodes[n].op);
    if (product != nullptr) product->takes_scores = !attention_of(graph, static_cast<int>(n)).empty();
  }
  return joined;
}

}  // namespace hone::graph
