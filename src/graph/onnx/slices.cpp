// Parts of a tensor, and a tensor with a border: Slice, Split, Pad.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "graph/onnx/axes.h"
#include "graph/onnx/readers.h"

namespace hone::graph::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

// Ends may lie far outside: writers spell "to the end" with the largest number there is.
std::int64_t place(std::int64_t index, std::int64_t extent, std::int64_t least, std::int64_t most) {
  if (index < 0) index += extent;
  return std::clamp(index, least, most);
}

void cut(Slice& slice, std::size_t d, std::int64_t start, std::int64_t end, std::int64_t step) {
  const std::int64_t extent = slice.shape[d];
  if (step == 0) throw UserError("its step is 0");
  constexpr std::int64_t kFar = std::int64_t{1} << 48;  // beyond any extent, and its negative exists
  step = std::clamp(step, -kFar, kFar);
  if (step > 0) {
    start = place(start, extent, 0, extent);
    end = place(end, extent, 0, extent);
  } else {
    start = place(start, extent, -1, extent - 1);
    end = place(end, extent, -1, extent - 1);
  }
  const std::int64_t span = step > 0 ? end - start : start - end;
  const std::int64_t stride = std::abs(step);
  slice.shape[d] = span <= 0 ? 0 : (span + stride - 1) / stride;
  slice.starts[d] = slice.shape[d] == 0 ? 0 : start;
  slice.steps[d] = step;
}

std::vector<ValueId> read_slice(const Reading& r) {
  const ValueId x = r.input(0);
  const std::size_t rank = r.emit.rank(x);
  const auto starts = r.integers_of("starts", 1);
  const auto ends = r.integers_of("ends", 2);
  if (!starts || !ends) throw UserError("its starts or ends are missing");
  Integers axes(starts->size());
  std::iota(axes.begin(), axes.end(), 0);
  axes = r.integers_of("axes", 3).value_or(axes);
  const Integers steps = r.has_input(4) ? r.integers(4, "steps") : Integers(starts->size(), 1);
  if (ends->size() != starts->size() || axes.size() != starts->size() || steps.size() != starts->size())
    throw UserError("its starts, ends, axes and steps are not equally many");
  axes_in(axes, rank);  // refuses an axis that is named twice
  Slice slice{.starts = Integers(rank, 0), .steps = Integers(rank, 1), .shape = r.emit.shape(x)};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    cut(slice, static_cast<std::size_t>(axis_in(axes[i], rank)), (*starts)[i], (*ends)[i], steps[i]);
  }
  return {r.emit.add(std::move(slice), {x})};
}

// Equal parts, the last one smaller when they do not come out even.
Integers equal_parts(std::int64_t extent, std::int64_t parts) {
  if (parts <= 0) throw UserError("it gives no parts");
  const std::int64_t size = (extent + parts - 1) / parts;
  Integers sizes;
  for (std::int64_t i = 0; i < parts; ++i)
    sizes.push_back(std::clamp<std::int64_t>(extent - i * size, 0, size));
  return sizes;
}

std::vector<ValueId> read_split(const Reading& r) {
  const ValueId x = r.input(0);
  const int axis = axis_in(r.attributes.integer("axis", 0), r.emit.rank(x));
  const std::int64_t extent = r.emit.shape(x)[static_cast<std::size_t>(axis)];
  const auto outputs = static_cast<std::int64_t>(r.node.outputs.size());
  const Integers sizes = r.integers_of("split", 1).value_or(equal_parts(extent, outputs));
  if (std::ranges::any_of(sizes, [&](auto size) { return size < 0 || size > extent; }) ||
      std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}) != extent)
    throw UserError(fmt::format("its parts [{}] do not make {}", fmt::join(sizes, ", "), extent));
  std::vector<ValueId> parts;
  std::int64_t begin = 0;
  for (const std::int64_t size : sizes) {
    parts.push_back(r.emit.slice(x, axis, begin, size));
    begin += size;
  }
  return parts;
}

PadMode pad_mode(const Attributes& attributes) {
  const std::string mode = attributes.text("mode", "constant");
  if (mode == "constant") return PadMode::Constant;
  if (mode == "edge") return PadMode::Edge;
  if (mode == "reflect") return PadMode::Reflect;
  if (mode == "wrap") return PadMode::Wrap;
  throw UserError(fmt::format("its mode `{}` is unknown", mode));
}

ir::Expr pad_value(const Reading& r) {
  const ir::Type type{r.emit.type(r.input(0))};
  if (!r.has_input(2))
    return ir::constant(ir::is_float(type.scalar) ? r.attributes.number("value", 0) : 0, type);
  const Tensor value = r.constant_input(2, "value");
  if (value.size() != 1 || value.type() != type.scalar)
    throw UserError("its value is not one element of its input's type");
  return literal(value);
}

std::vector<ValueId> read_pad(const Reading& r) {
  const ValueId x = r.input(0);
  const std::size_t rank = r.emit.rank(x);
  const auto pads = r.integers_of(r.attributes.has("paddings") ? "paddings" : "pads", 1);
  if (!pads) throw UserError("its pads are missing");
  Integers axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  if (r.has_input(3)) axes = r.integers(3, "axes");
  axes_in(axes, rank);  // refuses an axis that is named twice
  if (pads->size() != 2 * axes.size())
    throw UserError(fmt::format("it has {} pads for {} axes", pads->size(), axes.size()));
  Pad pad{.mode = pad_mode(r.attributes),
          .before = Integers(rank, 0),
          .after = Integers(rank, 0),
          .value = pad_value(r)};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto d = static_cast<std::size_t>(axis_in(axes[i], rank));
    pad.before[d] = (*pads)[i];
    pad.after[d] = (*pads)[axes.size() + i];
  }
  return {r.emit.add(std::move(pad), {x})};
}

}  // namespace

Readers slices() { return {{"Pad", read_pad}, {"Slice", read_slice}, {"Split", read_split}}; }

}  // namespace hone::graph::onnx
