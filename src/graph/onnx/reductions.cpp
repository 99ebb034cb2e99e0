// Reductions over axes, each a map, a reduction and a map.
#include <numeric>

#include "base/error.h"
#include "graph/onnx/activation.h"
#include "graph/onnx/axes.h"
#include "graph/onnx/readers.h"

namespace hone::graph::onnx {
namespace {

// The axes to reduce; none at all means all of them, unless the node says that it means none.
std::vector<int> axes_of(const Reading& r) {
  const std::size_t rank = r.emit.rank(r.input(0));
  const auto given = r.integers_of("axes", 1);
  if (given && !given->empty()) return axes_in(*given, rank);
  if (r.attributes.flag("noop_with_empty_axes", false)) return {};
  return axes_from(0, rank);
}

std::vector<ValueId> shaped(const Reading& r, ValueId reduced, const std::vector<int>& axes) {
  if (r.attributes.flag("keepdims", true)) return {reduced};
  return {r.emit.reshape(reduced, without(r.emit.shape(reduced), axes))};
}

Expr same(const Expr& x) { return x; }
Expr square(const Expr& x) { return x * x; }

using Body = Expr (*)(const Expr& x);

ValueId mapped(const Reading& r, ValueId x, Body body) {
  return body == same ? x : r.emit.map({x}, [&](const auto& v) { return body(v[0]); });
}

template <Reduction kReduction, Body kBefore = same, Body kAfter = same>
std::vector<ValueId> read_reduction(const Reading& r) {
  // Roots and logarithms are of floats.
  const ValueId x = kAfter == same ? r.input(0) : r.float_input(0);
  const std::vector<int> axes = axes_of(r);
  const ValueId reduced = r.emit.reduce(kReduction, mapped(r, x, kBefore), axes);
  return shaped(r, mapped(r, reduced, kAfter), axes);
}

std::vector<ValueId> read_mean(const Reading& r) {
  const std::vector<int> axes = axes_of(r);
  return shaped(r, r.emit.mean(r.input(0), axes), axes);
}

// The largest element is taken out first, so that no power overflows.
std::vector<ValueId> read_log_sum_exp(const Reading& r) {
  const ValueId x = r.float_input(0);
  const std::vector<int> axes = axes_of(r);
  const ValueId largest = r.emit.reduce(Reduction::Max, x, axes);
  const ValueId powers = r.emit.map({x, largest}, [](const auto& v) { return exp(v[0] - v[1]); });
  const ValueId sum = r.emit.reduce(Reduction::Sum, powers, axes);
  return shaped(r, r.emit.map({sum, largest}, [](const auto& v) { return log(v[0]) + v[1]; }), axes);
}

}  // namespace

Readers reductions() {
  return {
      {"ReduceL1", read_reduction<Reduction::Sum, abs>},
      {"ReduceL2", read_reduction<Reduction::Sum, square, sqrt>},
      {"ReduceLogSum", read_reduction<Reduction::Sum, same, log>},
      {"ReduceLogSumExp", read_log_sum_exp},
      {"ReduceMax", read_reduction<Reduction::Max>},
      {"ReduceMean", read_mean},
      {"ReduceMin", read_reduction<Reduction::Min>},
      {"ReduceProd", read_reduction<Reduction::Prod>},
      {"ReduceSum", read_reduction<Reduction::Sum>},
      {"ReduceSumSquare", read_reduction<Reduction::Sum, square>},
  };
}

}  // namespace hone::graph::onnx
