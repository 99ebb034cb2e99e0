// Reductions, sums along an axis and orders.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "graph/evaluate/elements.h"
#include "graph/evaluate/operators.h"
#include "graph/evaluate/reduction.h"

namespace hone::graph {
namespace {

// A total order: a NaN is above everything.
template <class Wide>
bool is_less(Wide a, Wide b) {
  if constexpr (std::is_floating_point_v<Wide>) {
    if (std::isnan(a) || std::isnan(b)) return !std::isnan(a);
  }
  return a < b;
}

}  // namespace

Tensors evaluate_op(const Reduce& op, Operands inputs, OutputTypes types) {
  return for_wide_type(types[0].type, [&]<class Wide>(Wide) -> Tensors {
    const std::vector<Wide> in = widen<Wide>(inputs[0]);
    std::vector<Wide> out(static_cast<std::size_t>(model::elements(types[0].shape)),
                          start_of<Wide>(op.reduction, types[0].type));
    const Shape& shape = inputs[0].shape();
    const Strides to = broadcast_strides(types[0].shape, shape);
    const std::int64_t row = row_extent(shape), step = row_stride(to);
    auto from = in.begin();
    for_each_row(shape, {to}, [&](std::span<const std::int64_t> offsets) {
      for (std::int64_t i = 0; i < row; ++i) {
        Wide& total = out[static_cast<std::size_t>(offsets[0] + i * step)];
        total = combine(op.reduction, total, *from++);
      }
    });
    return {narrow(types[0], out)};
  });
}

Tensors evaluate_op(const ArgReduce& op, Operands inputs, OutputTypes types) {
  return for_wide_type(inputs[0].type(), [&]<class Wide>(Wide) -> Tensors {
    const std::vector<Wide> in = widen<Wide>(inputs[0]);
    const AxisView view = around(inputs[0].shape(), op.axis);
    std::vector<std::int64_t> places;
    for (std::int64_t outer = 0; outer < view.outer; ++outer) {
      for (std::int64_t inner = 0; inner < view.inner; ++inner) {
        const auto at = [&](std::int64_t i) {
          return in[static_cast<std::size_t>((outer * view.extent + i) * view.inner + inner)];
        };
        std::int64_t best = 0;
        for (std::int64_t i = 1; i < view.extent; ++i) {
          const bool wins = op.largest ? at(i) > at(best) : at(i) < at(best);
          if (wins || (op.last_wins && at(i) == at(best))) best = i;
        }
        places.push_back(best);
      }
    }
    return {narrow(types[0], places)};
  });
}

Tensors evaluate_op(const CumSum& op, Operands inputs, OutputTypes types) {
  return for_wide_type(types[0].type, [&]<class Wide>(Wide) -> Tensors {
    std::vector<Wide> elements = widen<Wide>(inputs[0]);
    const AxisView view = around(inputs[0].shape(), op.axis);
    for (std::int64_t outer = 0; outer < view.outer; ++outer) {
      for (std::int64_t inner = 0; inner < view.inner; ++inner) {
        Wide total = 0;
        for (std::int64_t i = 0; i < view.extent; ++i) {
          const std::int64_t place = op.reverse ? view.extent - 1 - i : i;
          Wide& element =
              elements[static_cast<std::size_t>((outer * view.extent + place) * view.inner + inner)];
          const Wide with = sum(total, element);
          element = op.exclusive ? total : with;
          total = with;
        }
      }
    }
    return {narrow(types[0], elements)};
  });
}

// Among equals the one that stands first.
Tensors evaluate_op(const TopK& op, Operands inputs, OutputTypes types) {
  return for_wide_type(types[0].type, [&]<class Wide>(Wide) -> Tensors {
    const std::vector<Wide> in = widen<Wide>(inputs[0]);
    const AxisView view = around(inputs[0].shape(), op.axis);
    std::vector<Wide> values(static_cast<std::size_t>(view.outer * op.k * view.inner));
    std::vector<std::int64_t> places(values.size()), order(static_cast<std::size_t>(view.extent));
    for (std::int64_t outer = 0; outer < view.outer; ++outer) {
      for (std::int64_t inner = 0; inner < view.inner; ++inner) {
        const auto at = [&](std::int64_t i) {
          return in[static_cast<std::size_t>((outer * view.extent + i) * view.inner + inner)];
        };
        std::iota(order.begin(), order.end(), 0);
        std::ranges::partial_sort(order, order.begin() + op.k, [&](std::int64_t a, std::int64_t b) {
          const bool before = op.largest ? is_less(at(b), at(a)) : is_less(at(a), at(b));
          const bool behind = op.largest ? is_less(at(a), at(b)) : is_less(at(b), at(a));
          return before || (!behind && a < b);
        });
        for (std::int64_t i = 0; i < op.k; ++i) {
          const auto to = static_cast<std::size_t>((outer * op.k + i) * view.inner + inner);
          places[to] = order[static_cast<std::size_t>(i)];
          values[to] = at(places[to]);
        }
      }
    }
    return {narrow(types[0], values), narrow(types[1], places)};
  });
}

}  // namespace hone::graph
