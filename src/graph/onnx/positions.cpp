// Where elements stand: ArgMax, TopK, OneHot, Hardmax, and sums up to a place.
#include <fmt/format.h>

#include "base/error.h"
#include "graph/onnx/axes.h"
#include "graph/onnx/readers.h"

namespace hone::graph::onnx {
namespace {

template <bool kLargest>
std::vector<ValueId> read_arg_reduce(const Reading& r) {
  const ValueId x = r.input(0);
  const int axis = axis_in(r.attributes.integer("axis", 0), r.emit.rank(x));
  const ValueId place =
      r.emit.add(ArgReduce{.largest = kLargest,
                           .axis = axis,
                           .last_wins = r.attributes.flag("select_last_index", false)},
                 {x});
  if (r.attributes.flag("keepdims", true)) return {place};
  return {r.emit.reshape(place, without(r.emit.shape(place), std::vector{axis}))};
}

std::vector<ValueId> read_top_k(const Reading& r) {
  const ValueId x = r.input(0);
  const int axis = axis_in(r.attributes.integer("axis", -1), r.emit.rank(x));
  const std::int64_t k = r.attributes.has("k") ? r.attributes.integer("k", 1) : r.integer(1, "count");
  const TopK top{.k = k, .axis = axis, .largest = r.attributes.flag("largest", true)};
  return r.emit.builder().add(r.emit.node(), top, {x});
}

std::vector<ValueId> read_cum_sum(const Reading& r) {
  const ValueId x = r.input(0);
  return {r.emit.add(CumSum{.axis = axis_in(r.integer(1, "axis"), r.emit.rank(x)),
                            .exclusive = r.attributes.flag("exclusive", false),
                            .reverse = r.attributes.flag("reverse", false)},
                     {x})};
}

// 0, 1, 2, ... along one of `rank` dimensions.
ValueId counted_along(const Emitter& emit, std::int64_t count, int axis, std::size_t rank) {
  Shape shape(rank, 1);
  shape[static_cast<std::size_t>(axis)] = count;
  return emit.reshape(emit.iota(count), std::move(shape));
}

std::vector<ValueId> read_one_hot(const Reading& r) {
  const std::vector<double> depth_input = r.numbers(1, "depth");
  if (depth_input.size() != 1 || !(depth_input[0] >= 0 && depth_input[0] < 1e9))
    throw UserError("its depth is no count");
  const auto depth = static_cast<std::int64_t>(depth_input[0]);
  const Shape shape = r.emit.shape(r.input(0));
  const int axis = axis_in(r.attributes.integer("axis", -1), shape.size() + 1);
  const ValueId indices =
      r.emit.reshape(r.emit.cast(r.input(0), ir::Scalar::I64), with_ones(shape, std::vector{axis}));
  const ValueId places = counted_along(r.emit, depth, axis, shape.size() + 1);
  const ValueId hit = r.emit.map({indices, places}, [&](const auto& x) {
    return ir::eq(ir::select(x[0] < ir::int_imm(0), x[0] + ir::int_imm(depth), x[0]), x[1]);
  });
  const ValueId values = r.input(2);
  if (r.emit.shape(values) != Shape{2}) throw UserError("its values are not two");
  const auto value = [&](std::int64_t i) { return r.emit.reshape(r.emit.slice(values, 0, i, 1), {}); };
  return {r.emit.where(hit, value(1), value(0))};
}

// 1 at the first largest element along the axis, 0 elsewhere; before opset 13 all dimensions from the
// axis on are one.
std::vector<ValueId> read_hardmax(const Reading& r) {
  const ValueId input = r.float_input(0);
  const Shape shape = r.emit.shape(input);
  int axis = axis_in(r.attributes.integer("axis", r.opset < 13 ? 1 : -1), shape.size());
  ValueId x = input;
  if (r.opset < 13) {
    const auto cut = static_cast<std::size_t>(axis);
    x = r.emit.reshape(x, {product(shape, 0, cut), product(shape, cut, shape.size())});
    axis = 1;
  }
  const std::int64_t extent = r.emit.shape(x)[static_cast<std::size_t>(axis)];
  const ValueId largest = r.emit.add(ArgReduce{.largest = true, .axis = axis}, {x});
  const ValueId hit = r.emit.map({largest, counted_along(r.emit, extent, axis, r.emit.rank(x))},
                                 [](const auto& v) { return ir::eq(v[0], v[1]); });
  return {r.emit.reshape(
      r.emit.map({hit}, [&](const auto& v) { return ir::cast({r.emit.type(input)}, v[0]); }), shape)};
}

}  // namespace

Readers positions() {
  return {{"ArgMax", read_arg_reduce<true>}, {"ArgMin", read_arg_reduce<false>},
          {"CumSum", read_cum_sum},          {"Hardmax", read_hardmax},
          {"OneHot", read_one_hot},          {"TopK", read_top_k}};
}

}  // namespace hone::graph::onnx
