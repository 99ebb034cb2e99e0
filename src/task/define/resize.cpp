// Interpolation between elements.
#include <algorithm>
#include <cmath>

#include "task/define/define.h"

namespace hone::task::define {
namespace {

// Along one dimension: the input coordinate of output element i is scale * i + offset.
struct Line {
  double scale, offset;
  std::int64_t input, output;

  double coordinate(std::int64_t i) const { return scale * static_cast<double>(i) + offset; }
};

// The whole number floor((step * i + first) / parts).
struct Fraction {
  std::int64_t step, first, parts;

  std::int64_t floor_at(std::int64_t i) const {
    const std::int64_t number = step * i + first, rest = ((number % parts) + parts) % parts;
    return (number - rest) / parts;
  }
  ir::Expr number(const ir::Expr& i) const { return ops::plus(ops::times(i, step), first); }
  ir::Expr floor(const ir::Expr& i) const {
    return parts == 1 ? number(i) : ir::floor_div(number(i), parts);
  }
};

Fraction fraction_of(const Line& line, std::int64_t parts) {
  const auto n = static_cast<double>(parts);
  return {std::llround(line.scale * n), std::llround(line.offset * n), parts};
}

// The line as a fraction when it is one: coordinates of images are ratios of small numbers.
std::optional<Fraction> exact_fraction(const Line& line) {
  constexpr std::int64_t kMostParts = 4096;
  const auto is_whole = [](double x) { return std::abs(x - std::round(x)) < 1e-7; };
  for (std::int64_t parts = 1; parts <= kMostParts; ++parts) {
    const auto n = static_cast<double>(parts);
    if (is_whole(line.scale * n) && is_whole(line.offset * n)) return fraction_of(line, parts);
  }
  return std::nullopt;
}

Fraction close_fraction(const Line& line) {
  return exact_fraction(line).value_or(fraction_of(line, std::int64_t{1} << 20));
}

double rounded(graph::Rounding rounding, double x) {
  switch (rounding) {
    case graph::Rounding::PreferFloor:
      return std::ceil(x - 0.5);
    case graph::Rounding::PreferCeil:
      return std::floor(x + 0.5);
    case graph::Rounding::Floor:
      return std::floor(x);
    case graph::Rounding::Ceil:
      break;
  }
  return std::ceil(x);
}

// The fraction whose floor is the rounded one.
Fraction rounded(graph::Rounding rounding, const Fraction& x) {
  const Fraction twice{2 * x.step, 2 * x.first, 2 * x.parts};
  switch (rounding) {
    case graph::Rounding::PreferFloor:
      return {twice.step, twice.first + x.parts - 1, twice.parts};
    case graph::Rounding::PreferCeil:
      return {twice.step, twice.first + x.parts, twice.parts};
    case graph::Rounding::Floor:
      return x;
    case graph::Rounding::Ceil:
      break;
  }
  return {x.step, x.first + x.parts - 1, x.parts};
}

// The element nearest to the coordinate. Whole numbers settle it but for coordinates that lie on an
// edge between two elements up to the rounding of their doubles, which then decides.
ir::Expr place(const Line& line, graph::Rounding rounding, const ir::Expr& i) {
  const Fraction fraction = rounded(rounding, close_fraction(line));
  ir::Expr at = fraction.floor(i);
  for (std::int64_t n = 0; n < line.output; ++n) {
    const auto wanted = static_cast<std::int64_t>(rounded(rounding, line.coordinate(n)));
    if (fraction.floor_at(n) != wanted) at = ir::select(ir::eq(i, n), wanted, at);
  }
  return at;
}

// Inside of the input; `lowest` and `highest` are the first and the last value of `at`.
ir::Expr clamped(const ir::Expr& at, double lowest, double highest, std::int64_t extent) {
  ir::Expr inside = at;
  if (lowest < 0) inside = ir::max(inside, ir::Expr(0));
  if (highest > static_cast<double>(extent - 1)) inside = ir::min(inside, ir::Expr(extent - 1));
  return inside;
}

ir::Expr nearest(const Line& line, graph::Rounding rounding, const ir::Expr& i) {
  const double first = rounded(rounding, line.coordinate(0));
  const double last = rounded(rounding, line.coordinate(line.output - 1));
  return clamped(place(line, rounding, i), std::min(first, last), std::max(first, last), line.input);
}

// Two neighbours and how much the second one counts.
struct Between {
  ir::Expr lower, upper, weight;
};

// On an edge either element is the lower one: the weight says the same.
Between between(const Line& line, const ir::Expr& i, ir::Type type) {
  constexpr ir::Type kDouble{ir::Scalar::F64, 1};
  const std::optional<Fraction> exact = exact_fraction(line);
  const Fraction fraction = close_fraction(line);
  const ir::Expr at = fraction.floor(i);
  const auto first = static_cast<double>(fraction.floor_at(0));
  const auto last = static_cast<double>(fraction.floor_at(line.output - 1));
  const double lowest = std::min(first, last), highest = std::max(first, last);
  ir::Expr weight;
  if (exact) {
    const ir::Expr rest = ir::cast(type, ir::floor_mod(exact->number(i), exact->parts));
    weight = rest * ir::constant(1.0 / static_cast<double>(exact->parts), type);
  } else {
    const ir::Expr coordinate =
        ir::cast(kDouble, i) * ir::constant(line.scale, kDouble) + ir::constant(line.offset, kDouble);
    weight = ir::cast(type, coordinate - ir::cast(kDouble, at));
  }
  return {clamped(at, lowest, highest, line.input),
          clamped(ops::plus(at, 1), lowest + 1, highest + 1, line.input), weight};
}

// The mean of what the input has around the place: dimensions behind `d` are still to be settled.
ir::Expr interpolated(Scope& scope, ValueId in, Index& at, const std::vector<Between>& neighbours,
                      std::size_t d) {
  if (d == neighbours.size()) return scope.read(in, at);
  if (!neighbours[d].weight) return interpolated(scope, in, at, neighbours, d + 1);
  const auto& [lower, upper, weight] = neighbours[d];
  at[d] = lower;
  const ir::Expr below = interpolated(scope, in, at, neighbours, d + 1);
  at[d] = upper;
  const ir::Expr above = interpolated(scope, in, at, neighbours, d + 1);
  return below + (above - below) * weight;
}

}  // namespace

void define(Scope& scope, const graph::Node& node, const graph::Resize& resize) {
  const ValueId in = node.inputs[0], out = node.outputs[0];
  const Shape& own = scope.shape(in);
  const Axes axes = scope.axes(scope.shape(out));
  Index at = ops::index_of(axes);
  std::vector<Between> neighbours(own.size());
  for (std::size_t d = 0; d < own.size(); ++d) {
    const Line line{resize.scales[d], resize.offsets[d], own[d], axes[d].extent};
    if (line.scale == 1 && line.offset == 0 && line.input == line.output) continue;
    if (resize.linear) {
      neighbours[d] = between(line, axes[d].var, ops::arithmetic(scope.type(in)));
    } else {
      at[d] = nearest(line, resize.rounding, axes[d].var);
    }
  }
  scope.compute(out, "resize", axes, interpolated(scope, in, at, neighbours, 0));
}

}  // namespace hone::task::define
