// Convolutions, plain and transposed.
#include <fmt/format.h>

#include "base/error.h"
#include "graph/onnx/readers.h"
#include "graph/onnx/window.h"

namespace hone::graph::onnx {
namespace {

// The weights have the kernel's extents behind their second dimension.
std::vector<std::int64_t> kernel_of(const Reading& r, std::size_t spatial_rank) {
  const Shape weights = r.emit.shape(r.input(1));
  if (weights.size() != spatial_rank + 2)
    throw UserError(
        fmt::format("its weights have {} dimensions, its input {}", weights.size(), spatial_rank + 2));
  const std::vector<std::int64_t> kernel(weights.begin() + 2, weights.end());
  if (r.attributes.integers("kernel_shape").value_or(kernel) != kernel)
    throw UserError("its attribute `kernel_shape` differs from its weights");
  return kernel;
}

ValueId with_bias(const Reading& r, ValueId y) {
  if (!r.has_input(2)) return y;
  const ValueId bias = r.emit.per_channel(r.input(2), r.emit.rank(y));
  return r.emit.map({y, bias}, [](const auto& x) { return x[0] + x[1]; });
}

std::vector<ValueId> read_conv(const Reading& r) {
  const Shape spatial = spatial_extents(r, r.float_input(0));
  const Conv conv{.window = window_of(r.attributes, spatial, kernel_of(r, spatial.size())),
                  .groups = r.attributes.integer("group", 1)};
  return {with_bias(r, r.emit.add(conv, {r.input(0), r.input(1)}))};
}

std::vector<ValueId> read_conv_transpose(const Reading& r) {
  const Shape spatial = spatial_extents(r, r.float_input(0));
  const ConvTranspose conv{
      .window = transposed_window_of(r.attributes, spatial, kernel_of(r, spatial.size())),
      .groups = r.attributes.integer("group", 1)};
  return {with_bias(r, r.emit.add(conv, {r.input(0), r.input(1)}))};
}

}  // namespace

Readers convolutions() { return {{"Conv", read_conv}, {"ConvTranspose", read_conv_transpose}}; }

}  // namespace hone::graph::onnx
