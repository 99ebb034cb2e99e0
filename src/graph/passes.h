// What is done to a network between import and tasks: one list of passes, each a graph from a graph.
#pragma once
#include <functional>
#include <span>
#include <string_view>

#include "graph/graph.h"
#include "graph/order.h"

namespace hone::graph {

struct PassOptions {
  // ChannelsLast: convolutions and pools end in it. ChannelsFirst: they stay as they are.
  Layout layout = Layout::ChannelsLast;
  bool join_matmuls = false;   // see the pass; whether it pays depends on the shapes
  bool join_attention = true;  // one task instead of three
  // Called with the graph after each pass, and once before the first one with the name "import".
  std::function<void(std::string_view pass, const Graph& graph)> listener = {};
};

struct Pass {
  std::string_view name;
  Graph (*run)(const Graph& graph);
  std::string_view why;
  bool (*is_wanted)(const PassOptions& options);
};

// In the order in which they run.
std::span<const Pass> passes();

// All of them that the options want, in the bodies of loops too; the graph is verified after each.
Graph run_passes(Graph graph, const PassOptions& options = {});

// The passes, one a file under passes/. All keep what the graph computes, up to the rounding of floats.
Graph fold_constants(const Graph& graph);
Graph share_equal_nodes(const Graph& graph);
Graph simplify_views(const Graph& graph);
Graph absorb_padding(const Graph& graph);
Graph fold_normalisation(const Graph& graph);
Graph merge_maps(const Graph& graph);
Graph cheapen_maps(const Graph& graph);
Graph cancel_through_maps(const Graph& graph);
Graph join_matmuls(const Graph& graph);
Graph join_attention(const Graph& graph);
Graph to_channels_last(const Graph& graph);

// The layout of a convolution, plain or transposed.
using LayoutOf = std::function<Layout(const Node& convolution)>;

// The order of dimensions that an operator without a layout of its own computes in; nothing: that of
// its inputs.
using OrderOf = std::function<std::optional<Order>(const Node& follower)>;

// How many channels the blocks have that a node computes in, which is channels last: in_blocks
// (blocks.h) must have it. 0: it is not in blocks.
using LanesOf = std::function<std::int64_t(const Node& node)>;

// A network with its convolutions in layouts of their own, also one that run_passes has been over. What
// lies between two of the same layout follows them, unless `order_of` says otherwise; elsewhere
// transpositions are left, the price of the choice. run_passes with Layout::ChannelsFirst, which moves
// no convolution, tidies up behind it. The functions are asked about nodes of this very graph.
Graph choose_layouts(const Graph& graph, const LayoutOf& layout_of, const OrderOf& order_of = {},
                     const LanesOf& lanes_of = {});

}  // namespace hone::graph
