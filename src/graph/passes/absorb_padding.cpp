// A Pad in front of a window is padding of the window when it holds what the window takes for absent:
// zeros in front of a sum of products, minus infinity in front of a maximum.
#include <algorithm>
#include <limits>

#include "graph/layout.h"
#include "graph/passes.h"
#include "graph/passes/affine.h"
#include "graph/passes/rewriter.h"

namespace hone::graph {
namespace {

// The window with the padding added to its own, when there is some in spatial dimensions only.
std::optional<Window> padded(Window window, const Pad& pad) {
  const std::size_t first = first_spatial(window.layout);
  const std::size_t end = first + window.kernel.size();
  for (std::size_t d = 0; d < pad.before.size(); ++d) {
    if (d >= first && d < end) {
      // What is cut off before it is padded again would come back.
      const auto mixes = [](std::int64_t a, std::int64_t b) {
        return a != 0 && b != 0 && (a < 0) != (b < 0);
      };
      std::int64_t &before = window.before[d - first], &after = window.after[d - first];
      if (mixes(before, pad.before[d]) || mixes(after, pad.after[d])) return std::nullopt;
      before += pad.before[d];
      after += pad.after[d];
    } else if (pad.before[d] != 0 || pad.after[d] != 0) {
      return std::nullopt;
    }
  }
  return window;
}

// The operator with the window that `change` makes of its own.
template <class Kind>
std::optional<ValueId> absorb(Rewriter& graph, const Node& node, Kind op, double absent) {
  const auto* pad = graph.made_by<Pad>(node.inputs[0]);
  if (!pad || pad->mode != PadMode::Constant || !is_number(pad->value, absent)) return std::nullopt;
  const auto window = padded(op.window, *pad);
  if (!window) return std::nullopt;
  op.window = *window;
  std::vector<ValueId> inputs = node.inputs;
  inputs[0] = graph.producer(node.inputs[0])->inputs.front();
  return graph.add(op, inputs);
}

}  // namespace

Graph absorb_padding(const Graph& graph) {
  return rewrite(graph, [](Rewriter& next, const Node& node) -> std::optional<ValueId> {
    if (const auto* conv = std::get_if<Conv>(&node.op)) return absorb(next, node, *conv, 0);
    const auto* pool = std::get_if<Pool>(&node.op);
    if (!pool) return std::nullopt;
    const bool is_sum = pool->reduction == Reduction::Sum;
    return absorb(next, node, *pool, is_sum ? 0 : -std::numeric_limits<double>::infinity());
  });
}

}  // namespace hone::graph
