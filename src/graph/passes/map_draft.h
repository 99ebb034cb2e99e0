// A Map while passes change it.
#pragma once
#include <optional>
#include <vector>

#include "graph/passes/rewriter.h"

namespace hone::graph {

struct MapDraft {
  std::vector<ValueId> inputs;     // each once
  std::vector<ir::Expr> operands;  // one an input
  ir::Expr body;
  Shape shape;  // of the result
};

// The draft of a node that is a Map.
MapDraft draft(const Rewriter& graph, const Node& node);

// The operand for an input, which joins the draft when it is new.
ir::Expr operand_for(const Rewriter& graph, MapDraft& map, ValueId input);

// The i-th input, which a Map writes, is replaced by what is computed there. The other Map's inputs go
// to the end of the list unless they are in it already.
void absorb(const Rewriter& graph, MapDraft& map, std::size_t i);

// The Map of the draft without inputs that neither the body uses nor the shape needs.
ValueId finish(Rewriter& graph, const MapDraft& map);

// Another body on the same inputs, as a value that has the shape of those it uses and no larger one.
// Nothing when it uses none and is no literal.
std::optional<ValueId> value_of(Rewriter& graph, const MapDraft& map, const ir::Expr& body);

// The work for one element: operations written out as a tree, with divisions and functions counted for
// what they take beside an addition.
int cost(const ir::Expr& body);

// Work that may be done again for each element that a smaller value is broadcast to: an addition in a
// register is cheaper than a value of its own, a square root is not.
inline constexpr int kRepeatedCost = 1;

}  // namespace hone::graph
