// Maps, reductions, products and loops.
#include <algorithm>
#include <memory>

#include "tests/graph_generator/makers.h"

namespace hone::test {

using ir::BinaryOp;
using ir::Function;
using ir::Scalar;

namespace {

ir::Expr f32(double value) { return ir::float_imm(value); }

std::optional<ValueId> pick_exact_float(GrowingGraph& graph) {
  return graph.pick(
      [&](ValueId id) { return graph.is_float(id) && graph.is_exact(id) && graph.rank(id) > 0; });
}

}  // namespace

// Functions that keep numbers small.
void add_unary(GrowingGraph& graph) {
  const auto x = graph.pick_float(0);
  if (!x) return;
  const std::vector<graph::MapBody> bodies = {
      [](const auto& v) { return ir::max(v[0], f32(0)); },
      [](const auto& v) { return ir::call(Function::Sigmoid, {v[0]}) * v[0]; },
      [](const auto& v) { return ir::call(Function::Tanh, {v[0]}); },
      [](const auto& v) {
        return v[0] * f32(0.5) * (ir::call(Function::Erf, {v[0] * f32(0.70710678)}) + f32(1));
      },
      [](const auto& v) { return ir::select(v[0] < f32(0), v[0] * f32(0.1), v[0]); },
      [](const auto& v) {
        return ir::call(Function::Sqrt, {ir::call(Function::Abs, {v[0]}) + f32(0.25)});
      },
      [](const auto& v) { return ir::call(Function::Exp, {ir::min(v[0], f32(1))}); },
      [](const auto& v) { return ir::call(Function::Log, {ir::max(v[0], f32(0)) + f32(1)}); },
      [](const auto& v) { return v[0] * f32(-1); },
  };
  graph.map({*x}, graph.one_of(bodies));
}

void add_binary(GrowingGraph& graph) {
  const auto x = graph.pick_float(0);
  if (!x) return;
  const auto same_shape = [&](ValueId id) {
    return graph.is_float(id) && graph.shape(id) == graph.shape(*x);
  };
  const ValueId y = graph.chance(2) ? *graph.pick(same_shape)
                                    : graph.constant(Scalar::F32, graph.broadcastable(graph.shape(*x)));
  const auto op = graph.one_of(std::vector{BinaryOp::Add, BinaryOp::Sub, BinaryOp::Min, BinaryOp::Max});
  const bool multiplies = graph.chance(4);
  graph.map({*x, y}, [&](const auto& v) {
    // A product of two numbers of any size would grow without bound along a chain.
    return multiplies ? v[0] * ir::call(Function::Tanh, {v[1]}) : ir::binary(op, v[0], v[1]);
  });
}

void add_affine(GrowingGraph& graph) {
  const auto x = graph.pick_float(3);
  if (!x) return;
  Shape channels(static_cast<std::size_t>(graph.rank(*x)) - 1, 1);
  channels[0] = graph.extent(*x, 1);
  const ValueId scale = graph.constant(Scalar::F32, channels),
                shift = graph.constant(Scalar::F32, channels);
  graph.map({*x, scale, shift}, [](const auto& v) { return v[0] * v[1] + v[2]; });
}

void add_choice(GrowingGraph& graph) {
  const auto x = graph.pick_float(0);
  const auto tested = pick_exact_float(graph);
  if (!x || !tested) return;
  const auto op = graph.one_of(std::vector{BinaryOp::Lt, BinaryOp::Ge, BinaryOp::Ne});
  const auto condition =
      graph.map({*tested}, [&](const auto& v) { return ir::binary(op, v[0], f32(0.125)); });
  const auto fits = [&](ValueId id) {
    return graph.type(id) == Scalar::Bool && graph.shape(id) == graph.shape(*x);
  };
  const auto chosen = graph.pick(fits);
  if (!condition || !chosen) return;
  graph.add(graph::where(Scalar::F32),
            {*chosen, *x, graph.constant(Scalar::F32, graph.broadcastable(graph.shape(*x)))}, true);
}

void add_cast(GrowingGraph& graph) {
  if (graph.chance(2)) {
    const auto x = pick_exact_float(graph);
    if (x) graph.map({*x}, [](const auto& v) { return ir::cast({Scalar::I32}, v[0] * f32(8)); });
    return;
  }
  const auto x = graph.pick([&](ValueId id) { return !graph.is_float(id); });
  // Integers may have become large.
  if (x)
    graph.map({*x}, [](const auto& v) { return ir::call(Function::Tanh, {ir::cast(ir::kF32, v[0])}); });
}

void add_integers(GrowingGraph& graph) {
  const auto x = graph.pick([&](ValueId id) { return ir::is_int(graph.type(id)); });
  if (!x) return;
  const ValueId y = graph.constant(graph.type(*x), graph.broadcastable(graph.shape(*x)));
  const auto op = graph.one_of(std::vector{BinaryOp::Add, BinaryOp::Mul, BinaryOp::Max, BinaryOp::Le});
  graph.map({*x, y}, [&](const auto& v) { return ir::binary(op, v[0], v[1]); });
}

void add_reduce(GrowingGraph& graph) {
  const auto x = graph.pick_float(1);
  if (!x) return;
  using enum graph::Reduction;
  graph::Reduce op{graph.one_of(std::vector{Sum, Sum, Max, Min, Prod}), {}};
  for (int axis = 0; axis < graph.rank(*x); ++axis) {
    if (graph.chance(2)) op.axes.push_back(axis);
  }
  graph.add(op, {*x}, true);
}

void add_arg_reduce(GrowingGraph& graph) {
  const auto x = pick_exact_float(graph);
  if (x) graph.add(graph::ArgReduce{graph.chance(2), graph.axis_of(*x), graph.chance(2)}, {*x});
}

void add_cumsum(GrowingGraph& graph) {
  const auto x = graph.pick_float(1);
  if (x) graph.add(graph::CumSum{graph.axis_of(*x), graph.chance(2), graph.chance(2)}, {*x}, true);
}

void add_top_k(GrowingGraph& graph) {
  const auto x = pick_exact_float(graph);
  if (!x) return;
  const int axis = graph.axis_of(*x);
  graph.add(graph::TopK{graph.between(1, graph.extent(*x, axis)), axis, graph.chance(2)}, {*x});
}

void add_softmax(GrowingGraph& graph) {
  const auto x = graph.pick_float(2);
  if (!x) return;
  const std::vector<int> axes = {graph.axis_of(*x)};
  const auto largest = graph.add(graph::Reduce{graph::Reduction::Max, axes}, {*x}, true);
  const auto powers =
      graph.map({*x, largest[0]}, [](const auto& v) { return ir::call(Function::Exp, {v[0] - v[1]}); });
  const auto total = graph.add(graph::Reduce{graph::Reduction::Sum, axes}, {*powers}, true);
  graph.map({*powers, total[0]}, [](const auto& v) { return v[0] / v[1]; });
}

void add_matmul(GrowingGraph& graph) {
  const auto a = graph.pick_float(2);
  if (!a) return;
  Shape b = graph.shape(*a);
  const std::int64_t depth = b.back(), columns = graph.between(1, 9);
  b.resize(b.size() - 2);
  b = graph.broadcastable(b);
  b.insert(b.end(), {depth, columns});
  graph.add(graph::MatMul{}, {*a, graph.constant(Scalar::F32, b, depth)}, true);
}

// One more operand with some of the labels and a new one; the output has some of them all.
void add_einsum(GrowingGraph& graph) {
  const auto x = graph.pick_float(1);
  if (!x) return;
  const int rank = graph.rank(*x);
  graph::Einsum op{{graph.shuffled(rank), {rank}}, {}};
  Shape extents = {graph.between(1, 4)};
  std::int64_t summed = 1;
  for (const int label : graph.shuffled(rank + 1)) {
    const auto place = std::ranges::find(op.inputs[0], label) - op.inputs[0].begin();
    const bool is_new = label == rank;
    if (!is_new && graph.chance(2)) {
      op.inputs[1].push_back(label);
      extents.push_back(graph.extent(*x, static_cast<int>(place)));
    }
    if (graph.chance(2)) {
      op.output.push_back(label);
    } else if (!is_new) {
      summed *= graph.extent(*x, static_cast<int>(place));
    }
  }
  graph.add(op, {*x, graph.constant(Scalar::F32, extents, summed)}, true);
}

// A small recurrent network over the first dimension.
void add_loop(GrowingGraph& graph) {
  const auto x = graph.pick_float(2);
  if (!x) return;
  const graph::ValueType slice{Scalar::F32, Shape(graph.shape(*x).begin() + 1, graph.shape(*x).end())};
  graph::Builder body("body");
  const ValueId state = body.input("state", slice), now = body.input("now", slice),
                gate = body.input("gate", slice);
  const ValueId next = body.map("next", {state, now, gate}, [](const auto& v) {
    return ir::call(Function::Tanh, {v[0] * v[2] + v[1]});
  });
  const graph::Loop op{std::make_shared<graph::Graph>(body.finish({next, next})), graph.extent(*x, 0),
                       1, 1, graph.chance(2)};
  graph.add(op,
            {graph.constant(Scalar::F32, slice.shape), *x, graph.constant(Scalar::F32, slice.shape)},
            true);
}

}  // namespace hone::test
