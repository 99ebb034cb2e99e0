#include "graph/passes.h"

#include <memory>

#include "graph/verify.h"

namespace hone::graph {
namespace {

bool always(const PassOptions&) { return true; }
bool if_channels_last(const PassOptions& options) { return options.layout == Layout::ChannelsLast; }
bool if_joined(const PassOptions& options) { return options.join_matmuls; }
bool if_attention(const PassOptions& options) { return options.join_attention; }

constexpr Pass kPasses[] = {
    {"fold_constants", fold_constants, "what is known or read by nobody need not be computed", always},
    {"simplify_views", simplify_views, "what does nothing keeps apart what belongs together", always},
    {"share_equal_nodes", share_equal_nodes, "the same value is computed once", always},
    {"absorb_padding", absorb_padding, "a window pads by itself, without a copy", always},
    {"fold_normalisation", fold_normalisation, "scales of channels are free inside weights", always},
    {"merge_maps", merge_maps, "a chain of elementwise operators touches memory once", always},
    {"cancel_through_maps", cancel_through_maps, "two transpositions around a Map are none", always},
    {"cheapen_maps", cheapen_maps, "no division or function more often than needed", always},
    {"join_matmuls", join_matmuls, "one large product instead of several of one value", if_joined},
    {"to_channels_last", to_channels_last, "vectors of channels need no shuffling", if_channels_last},
    {"simplify_views", simplify_views, "transpositions of layouts meet those of the model", always},
    {"cancel_through_maps", cancel_through_maps, "and some meet across a Map", always},
    {"merge_maps", merge_maps, "Maps that a transposition kept apart or that were split off", always},
    {"cheapen_maps", cheapen_maps, "what came together may have cheaper forms", always},
    {"share_equal_nodes", share_equal_nodes, "copies that the passes made themselves", always},
    {"join_attention", join_attention, "scores stay in the caches of a core", if_attention},
};

void tell(const PassOptions& options, std::string_view pass, const Graph& graph) {
  if (options.listener) options.listener(pass, graph);
}

}  // namespace

std::span<const Pass> passes() { return kPasses; }

Graph run_passes(Graph graph, const PassOptions& options) {
  tell(options, "import", graph);
  PassOptions of_bodies = options;
  of_bodies.listener = {};  // a body is seen as part of its loop
  for (Node& node : graph.nodes) {
    if (auto* loop = std::get_if<Loop>(&node.op))
      loop->body = std::make_shared<const Graph>(run_passes(*loop->body, of_bodies));
  }
  for (const Pass& pass : passes()) {
    if (!pass.is_wanted(options)) continue;
    graph = pass.run(graph);
    verify(graph);
    tell(options, pass.name, graph);
  }
  return graph;
}

}  // namespace hone::graph
