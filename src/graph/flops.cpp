#include "graph/flops.h"

#include <map>

#include "base/match.h"

namespace hone::graph {
namespace {

class Counter {
 public:
  explicit Counter(const Graph& graph) : graph_(graph) {}

  double flop(const Node& node) const {
    return match(
        node.op,
        // Every element of the output sums over its channel's share of the weights.
        [&](const Conv& op) {
          return 2 * elements(node.inputs[1]) * plane(node.outputs[0], op.window.layout);
        },
        // Every element of the input is spread over its channel's share.
        [&](const ConvTranspose& op) {
          return 2 * elements(node.inputs[1]) * plane(node.inputs[0], op.window.layout);
        },
        [&](const MatMul&) {
          return 2 * elements(node.outputs[0]) * static_cast<double>(shape(node.inputs[0]).back());
        },
        [&](const Einsum& op) { return static_cast<double>(op.inputs.size()) * products(node, op); },
        [&](const Loop& op) { return static_cast<double>(op.trips) * flop_count(*op.body); },
        [](const auto&) { return 0.0; });
  }

 private:
  const Shape& shape(ValueId id) const {
    return graph_.values[static_cast<std::size_t>(id)].type.shape;
  }
  double elements(ValueId id) const { return static_cast<double>(model::elements(shape(id))); }

  // Elements of one channel.
  double plane(ValueId id, Layout layout) const {
    const Shape& all = shape(id);
    const std::int64_t channels = layout == Layout::ChannelsFirst  ? all[1]
                                  : layout == Layout::ChannelsLast ? all.back()
                                                                   : all[1] * all.back();
    return elements(id) / static_cast<double>(channels);
  }

  double products(const Node& node, const Einsum& op) const {
    std::map<int, std::int64_t> extents;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      for (std::size_t d = 0; d < op.inputs[i].size(); ++d)
        extents[op.inputs[i][d]] = shape(node.inputs[i])[d];
    }
    double product = 1;
    for (const auto& [label, extent] : extents) product *= static_cast<double>(extent);
    return product;
  }

  const Graph& graph_;
};

}  // namespace

double flop_count(const Graph& graph, const Node& node) { return Counter(graph).flop(node); }

double flop_count(const Graph& graph) {
  const Counter counter(graph);
  double total = 0;
  for (const Node& node : graph.nodes) total += counter.flop(node);
  return total;
}

}  // namespace hone::graph
