#include "graph/onnx/pool_places.h"

#include <limits>

#include "base/error.h"
#include "graph/onnx/window.h"
#include "ir/number.h"

namespace hone::graph::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

ir::Expr least(ir::Scalar type) {
  if (ir::is_float(type)) return ir::float_imm(-std::numeric_limits<double>::infinity(), {type});
  return ir::int_imm(ir::min_value(type), {type});
}

// How far apart neighbours along each dimension are.
Integers pitches_of(const Shape& shape, bool column_major) {
  Integers pitches(shape.size(), 1);
  std::int64_t pitch = 1;
  for (std::size_t i = 2; i < shape.size(); ++i) {
    const std::size_t d = column_major ? i : shape.size() + 1 - i;
    pitches[d] = pitch;
    pitch *= shape[d];
  }
  pitches[1] = pitch;
  pitches[0] = pitch * shape[1];
  return pitches;
}

// The elements that all windows have at one place of the kernel, with a dimension of 1 behind.
ValueId at_place(const Emitter& emit, ValueId padded, const Window& window, const Shape& output,
                 const Integers& place) {
  Slice slice{
      .starts = Integers(output.size(), 0), .steps = Integers(output.size(), 1), .shape = output};
  for (std::size_t d = 0; d < place.size(); ++d) {
    slice.starts[d + 2] = place[d] * window.dilations[d];
    slice.steps[d + 2] = window.strides[d];
  }
  Shape wide = output;
  wide.push_back(1);
  return emit.reshape(emit.add(std::move(slice), {padded}), std::move(wide));
}

Integers place_in(const Window& window, std::int64_t number) {
  Integers place(window.kernel.size());
  for (std::size_t d = place.size(); d-- > 0; number /= window.kernel[d])
    place[d] = number % window.kernel[d];
  return place;
}

ValueId padded_input(const Emitter& emit, ValueId x, const Window& window) {
  Pad pad{.mode = PadMode::Constant, .before = {0, 0}, .after = {0, 0}, .value = least(emit.type(x))};
  pad.before.insert(pad.before.end(), window.before.begin(), window.before.end());
  pad.after.insert(pad.after.end(), window.after.begin(), window.after.end());
  return emit.add(std::move(pad), {x});
}

}  // namespace

// A window's elements lie side by side in a new dimension; the largest one's number there tells how far
// it is from the window's beginning, whose place follows from the indices.
ValueId largest_places(const Emitter& emit, ValueId x, const Window& window, bool column_major) {
  const Shape shape = emit.shape(x);
  const Integers pitches = pitches_of(shape, column_major);
  Shape output = shape;
  for (std::size_t d = 2; d < shape.size(); ++d) output[d] = output_extent(window, d - 2, shape[d]);
  constexpr std::int64_t kMost = 4096;  // each is a slice of its own
  const std::int64_t size = model::elements(window.kernel);
  if (size > kMost) throw UserError("its window is too large for the places of its largest elements");
  const ValueId padded = padded_input(emit, x, window);
  std::vector<ValueId> elements;
  Integers distances;
  for (std::int64_t number = 0; number < size; ++number) {
    const Integers place = place_in(window, number);
    elements.push_back(at_place(emit, padded, window, output, place));
    distances.push_back(0);
    for (std::size_t d = 0; d < place.size(); ++d)
      distances.back() += place[d] * window.dilations[d] * pitches[d + 2];
  }
  const int last = static_cast<int>(output.size());
  const ValueId largest =
      emit.add(ArgReduce{.largest = true, .axis = last}, {emit.concat(elements, last)});
  std::vector<ValueId> summands{
      emit.add(Gather{0}, {emit.constant(distances), emit.reshape(largest, output)})};
  for (std::size_t d = 0; d < output.size(); ++d) {
    const std::int64_t stride = d < 2 ? 1 : window.strides[d - 2];
    const std::int64_t first = d < 2 ? 0 : -window.before[d - 2];
    Shape along(output.size(), 1);
    along[d] = output[d];
    summands.push_back(emit.map({emit.reshape(emit.iota(output[d]), along)}, [&](const auto& i) {
      return (i[0] * ir::int_imm(stride) + ir::int_imm(first)) * ir::int_imm(pitches[d]);
    }));
  }
  return emit.map(summands, [](const auto& v) {
    ir::Expr sum = v[0];
    for (std::size_t i = 1; i < v.size(); ++i) sum = sum + v[i];
    return sum;
  });
}

}  // namespace hone::graph::onnx
