// Convolutions and pooling.
#include <algorithm>

#include "tests/graph_generator/makers.h"

namespace hone::test {
namespace {

using graph::Window;

std::optional<ValueId> pick_image(GrowingGraph& graph) {
  return graph.pick(
      [&](ValueId id) { return graph.is_float(id) && graph.rank(id) >= 3 && graph.rank(id) <= 5; });
}

// A window that touches the input wherever it stands.
Window random_window(GrowingGraph& graph, ValueId x) {
  Window window;
  for (int d = 2; d < graph.rank(x); ++d) {
    const std::int64_t kernel = graph.between(1, 3);
    const std::int64_t before = graph.between(0, kernel - 1), after = graph.between(0, kernel - 1);
    const bool fits = graph.extent(x, d) + before + after >= kernel;
    window.kernel.push_back(fits ? kernel : 1);
    window.strides.push_back(graph.between(1, 2));
    window.dilations.push_back(1);
    window.before.push_back(fits ? before : 0);
    window.after.push_back(fits ? after : 0);
  }
  return window;
}

// A number that divides `count`: often 1 or all of it.
std::int64_t random_groups(GrowingGraph& graph, std::int64_t count) {
  std::vector<std::int64_t> divisors = {1, count};
  for (std::int64_t i = 2; i < count; ++i) {
    if (count % i == 0) divisors.push_back(i);
  }
  return graph.one_of(divisors);
}

}  // namespace

void add_conv(GrowingGraph& graph) {
  const auto x = pick_image(graph);
  if (!x) return;
  graph::Conv op{random_window(graph, *x), random_groups(graph, graph.extent(*x, 1))};
  for (std::size_t d = 0; d < op.window.kernel.size(); ++d) {
    // Spread and cut where there is room for it.
    const std::int64_t room = graph.extent(*x, static_cast<int>(d) + 2) - 2 * op.window.kernel[d];
    if (room > 0 && graph.chance(3)) op.window.dilations[d] = 2;
    if (room > 0 && graph.chance(4)) op.window.before[d] = -1;
  }
  Shape weights = {op.groups * graph.between(1, 3), graph.extent(*x, 1) / op.groups};
  weights.insert(weights.end(), op.window.kernel.begin(), op.window.kernel.end());
  graph.add(op, {*x, graph.constant(ir::Scalar::F32, weights, model::elements(weights) / weights[0])},
            true);
}

void add_conv_transpose(GrowingGraph& graph) {
  const auto x = pick_image(graph);
  if (!x) return;
  graph::ConvTranspose op{random_window(graph, *x), random_groups(graph, graph.extent(*x, 1))};
  for (std::size_t d = 0; d < op.window.kernel.size(); ++d) {
    // Here padding cuts the result, of which something must be left.
    op.window.before[d] = std::min<std::int64_t>(op.window.before[d], 1);
    op.window.after[d] = graph.extent(*x, static_cast<int>(d) + 2) > 1 ? graph.between(-1, 1) : -1;
  }
  Shape weights = {graph.extent(*x, 1), graph.between(1, 3)};
  weights.insert(weights.end(), op.window.kernel.begin(), op.window.kernel.end());
  graph.add(op, {*x, graph.constant(ir::Scalar::F32, weights, weights[0])}, true);
}

void add_pool(GrowingGraph& graph) {
  const auto x = pick_image(graph);
  if (!x) return;
  const auto reduction = graph.chance(2) ? graph::Reduction::Max : graph::Reduction::Sum;
  graph.add(graph::Pool{reduction, random_window(graph, *x)}, {*x}, true);
}

}  // namespace hone::test
