// Nodes that move, repeat or pick elements.
#include <algorithm>

#include "tests/graph_generator/makers.h"

namespace hone::test {

void add_transpose(GrowingGraph& graph) {
  const auto x = graph.pick_any(2);
  if (x) graph.add(graph::Transpose{graph.shuffled(graph.rank(*x))}, {*x});
}

// Joins two dimensions, cuts one in two, or adds one.
void add_reshape(GrowingGraph& graph) {
  const auto x = graph.pick_any(1);
  if (!x) return;
  Shape shape = graph.shape(*x);
  const auto at = shape.begin() + graph.axis_of(*x);
  if (graph.chance(2) && at + 1 != shape.end()) {
    at[1] *= at[0];
    shape.erase(at);
  } else if (*at % 2 == 0) {
    *at /= 2;
    shape.insert(at, 2);
  } else {
    shape.insert(at, 1);
  }
  graph.add(graph::Reshape{shape}, {*x});
}

void add_expand(GrowingGraph& graph) {
  const auto x = graph.pick_any(0);
  if (!x) return;
  Shape shape = graph.shape(*x);
  for (std::int64_t& extent : shape) {
    if (extent == 1) extent = graph.between(1, 3);
  }
  if (graph.chance(2)) shape.insert(shape.begin(), 2);
  if (shape != graph.shape(*x)) graph.add(graph::Expand{shape}, {*x});
}

void add_slice(GrowingGraph& graph) {
  const auto x = graph.pick_any(1);
  if (!x) return;
  graph::Slice op;
  for (const std::int64_t extent : graph.shape(*x)) {
    const std::int64_t step = graph.chance(3) ? 2 : 1, first = graph.between(0, (extent - 1) / 2);
    const std::int64_t count = graph.between(1, (extent - 1 - first) / step + 1),
                       last = first + (count - 1) * step;
    const bool backwards = graph.chance(4);
    op.starts.push_back(backwards ? last : first);
    op.steps.push_back(backwards ? -step : step);
    op.shape.push_back(count);
  }
  graph.add(op, {*x});
}

void add_pad(GrowingGraph& graph) {
  const auto x = graph.pick_any(1);
  if (!x) return;
  using enum graph::PadMode;
  graph::Pad op{graph.one_of(std::vector{Constant, Constant, Edge, Reflect, Wrap}), {}, {}, {}};
  if (op.mode == Constant) op.value = ir::constant(1, {graph.type(*x)});
  for (const std::int64_t extent : graph.shape(*x)) {
    const std::int64_t most = std::min<std::int64_t>(2, extent - 1);
    op.before.push_back(graph.chance(2) ? 0 : graph.between(extent > 2 ? -1 : 0, most));
    op.after.push_back(graph.chance(2) ? 0 : graph.between(extent > 2 ? -1 : 0, most));
  }
  graph.add(op, {*x});
}

void add_concat(GrowingGraph& graph) {
  const auto x = graph.pick_any(1);
  if (!x) return;
  const int axis = graph.axis_of(*x);
  const auto fits = [&](ValueId id) {
    return graph.type(id) == graph.type(*x) && graph.shape(id) == graph.shape(*x);
  };
  Shape shape = graph.shape(*x);
  shape[static_cast<std::size_t>(axis)] = graph.between(1, 3);
  std::vector<ValueId> inputs = {*x, *graph.pick(fits)};
  if (graph.chance(2)) inputs.push_back(graph.constant(graph.type(*x), shape));
  graph.add(graph::Concat{axis}, inputs);
}

void add_gather(GrowingGraph& graph) {
  const auto x = graph.pick_any(1);
  if (!x) return;
  const int axis = graph.axis_of(*x);
  const Shape shape = graph.one_of(std::vector<Shape>{{}, {3}, {2, 2}});
  graph.add(graph::Gather{axis}, {*x, graph.indices(shape, graph.extent(*x, axis))});
}

void add_gather_elements(GrowingGraph& graph) {
  const auto x = graph.pick_any(1);
  if (!x) return;
  const int axis = graph.axis_of(*x);
  Shape shape;
  for (const std::int64_t extent : graph.shape(*x)) shape.push_back(graph.between(1, extent));
  graph.add(graph::GatherElements{axis}, {*x, graph.indices(shape, graph.extent(*x, axis))});
}

void add_gather_nd(GrowingGraph& graph) {
  const auto x = graph.pick_any(2);
  if (!x) return;
  const int batch = graph.chance(2) ? 1 : 0;
  Shape shape(graph.shape(*x).begin(), graph.shape(*x).begin() + batch);
  shape.insert(shape.end(), {3, 1});
  graph.add(graph::GatherND{batch}, {*x, graph.indices(shape, graph.extent(*x, batch))});
}

// As exchange formats ask for it: coordinate = (i + 0.5) * scale - 0.5 or i * scale.
void add_resize(GrowingGraph& graph) {
  const auto x = graph.pick_float(3);
  if (!x) return;
  using enum graph::Rounding;
  graph::Resize op{
      graph.chance(2), graph.one_of(std::vector{PreferFloor, PreferCeil, Floor, Ceil}), {}, {}, {}};
  for (int d = 0; d < graph.rank(*x); ++d) {
    const std::int64_t in = graph.extent(*x, d), out = d < 2 ? in : graph.between(1, 2 * in);
    const double scale = static_cast<double>(in) / static_cast<double>(out);
    op.shape.push_back(out);
    op.scales.push_back(scale);
    op.offsets.push_back(out != in && graph.chance(2) ? scale / 2 - 0.5 : 0);
  }
  graph.add(op, {*x}, op.linear);
}

}  // namespace hone::test
