// Pools over windows and over whole planes.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "graph/onnx/activation.h"
#include "graph/onnx/axes.h"
#include "graph/onnx/pool_places.h"
#include "graph/onnx/readers.h"
#include "graph/onnx/window.h"

namespace hone::graph::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

Window pool_window(const Reading& r, const Shape& spatial) {
  const auto kernel = r.attributes.integers("kernel_shape");
  if (!kernel || kernel->size() != spatial.size())
    throw UserError("its attribute `kernel_shape` is missing or does not fit its input");
  return window_of(r.attributes, spatial, *kernel);
}

std::vector<ValueId> read_max_pool(const Reading& r) {
  const Shape spatial = spatial_extents(r, r.input(0));
  const Window window = pool_window(r, spatial);
  std::vector<ValueId> outputs{r.emit.add(Pool{Reduction::Max, window}, {r.input(0)})};
  if (r.has_output(1)) {
    const bool column_major = r.attributes.flag("storage_order", false);
    outputs.push_back(largest_places(r.emit, r.input(0), window, column_major));
  }
  return outputs;
}

// How many elements of [begin, end) each window meets.
Integers counts_along(const Window& window, std::size_t d, std::int64_t outputs, std::int64_t begin,
                      std::int64_t end) {
  require_constant_size(outputs);
  Integers counts;
  const std::int64_t step = window.dilations[d];
  for (std::int64_t i = 0; i < outputs; ++i) {
    const std::int64_t first = i * window.strides[d] - window.before[d];
    // Entries of the window that stand before a place.
    const auto before = [&](std::int64_t place) {
      return std::clamp<std::int64_t>((place - first + step - 1) / step, 0, window.kernel[d]);
    };
    counts.push_back(before(end) - before(begin));
  }
  return counts;
}

// 1 / count along one dimension, shaped to broadcast against the pool's output.
ValueId shares_along(const Reading& r, const Integers& counts, std::size_t d, std::size_t rank) {
  Shape shape(rank - d - 2, 1);
  shape.front() = static_cast<std::int64_t>(counts.size());
  const ValueId whole = r.emit.reshape(r.emit.constant(counts), shape);
  const ir::Type type{r.emit.type(r.input(0))};
  return r.emit.map(
      {whole}, [&](const auto& x) { return literal(1, ir::cast(type, x[0])) / ir::cast(type, x[0]); });
}

// A window's count is the product of those along its dimensions. Where all windows have the same, it is
// a literal; elsewhere it is a constant tensor.
std::vector<ValueId> read_average_pool(const Reading& r) {
  const Shape spatial = spatial_extents(r, r.float_input(0));
  const Window window = pool_window(r, spatial);
  ValueId y = r.emit.add(Pool{Reduction::Sum, window}, {r.input(0)});
  const Shape shape = r.emit.shape(y);
  const bool include_pad = r.attributes.flag("count_include_pad", false);
  const Integers pads = r.attributes.integers("pads").value_or(Integers(2 * spatial.size(), 0));
  double share = 1;
  for (std::size_t d = 0; d < spatial.size(); ++d) {
    // A window that ceil_mode adds reaches past the padding, which never counts.
    const std::int64_t after = r.attributes.has("pads") ? pads[spatial.size() + d] : window.after[d];
    const std::int64_t begin = include_pad ? -window.before[d] : 0;
    const std::int64_t end = include_pad ? spatial[d] + after : spatial[d];
    const Integers counts = counts_along(window, d, shape[d + 2], begin, end);
    if (std::ranges::all_of(counts, [&](auto count) { return count == counts.front() && count > 0; })) {
      share /= static_cast<double>(counts.empty() ? 1 : counts.front());
    } else {
      y = r.emit.map({y, shares_along(r, counts, d, shape.size())},
                     [](const auto& x) { return x[0] * x[1]; });
    }
  }
  return {r.emit.scaled(y, share)};
}

double power_of(const Reading& r) {
  const double p =
      r.opset < 2 ? r.attributes.number("p", 2) : static_cast<double>(r.attributes.integer("p", 2));
  if (!(p > 0)) throw UserError("its attribute `p` is not positive");
  return p;
}

ValueId absolute_power(const Reading& r, ValueId x, double p) {
  return r.emit.map({x}, [&](const auto& v) { return p == 2 ? v[0] * v[0] : power(abs(v[0]), p); });
}

std::vector<ValueId> read_lp_pool(const Reading& r) {
  const Shape spatial = spatial_extents(r, r.float_input(0));
  const double p = power_of(r);
  const ValueId sum =
      r.emit.add(Pool{Reduction::Sum, pool_window(r, spatial)}, {absolute_power(r, r.input(0), p)});
  return {r.emit.map({sum}, [&](const auto& x) { return power(x[0], 1 / p); })};
}

std::vector<int> plane(const Reading& r) {
  spatial_extents(r, r.input(0));
  return axes_from(2, r.emit.rank(r.input(0)));
}

std::vector<ValueId> read_global_average(const Reading& r) {
  return {r.emit.mean(r.float_input(0), plane(r))};
}

std::vector<ValueId> read_global_max(const Reading& r) {
  return {r.emit.reduce(Reduction::Max, r.input(0), plane(r))};
}

std::vector<ValueId> read_global_lp(const Reading& r) {
  const double p = power_of(r);
  const ValueId sum = r.emit.reduce(Reduction::Sum, absolute_power(r, r.float_input(0), p), plane(r));
  return {r.emit.map({sum}, [&](const auto& x) { return power(x[0], 1 / p); })};
}

}  // namespace

Readers pools() {
  return {{"AveragePool", read_average_pool}, {"GlobalAveragePool", read_global_average},
          {"GlobalLpPool", read_global_lp},   {"GlobalMaxPool", read_global_max},
          {"LpPool", read_lp_pool},           {"MaxPool", read_max_pool}};
}

}  // namespace hone::graph::onnx
