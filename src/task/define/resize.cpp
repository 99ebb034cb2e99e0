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

// floor((step * i + first) / parts) in whole numbers.
struct Fraction {
  std::int64_t step, first, parts;

  std::int64_t floor_at(std::int64_t i) const {
    const std::int64_t number = step * i + first, rest = ((number % parts) + parts) % parts;
    return (number - rest) / parts;
  }
  ir::Expr number(const ir::Expr& i) const { return ops::plus(ops::times(i, step), first); }
};

// The line as a fraction when it is one: coordinates of images are ratios of small numbers.
std::optional<Fraction> fraction_of(const Line& line) {
  constexpr std::int64_t kMostParts = 4096;
  const auto is_whole = [](double x) { return std::abs(x - std::round(x)) < 1e-7; };
  for (std::int64_t parts = 1; parts <= kMostParts; ++parts) {
    const auto n = static_cast<double>(parts);
    if (is_whole(line.scale * n) && is_whole(line.offset * n)) {
      return Fraction{std::llround(line.scale * n), std::llround(line.offset * n), parts};
    }
  }
  return std::nullopt;
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

ir::Expr rounded(graph::Rounding rounding, const ir::Expr& x) {
  const auto call = [](ir::Function function, const ir::Expr& value) {
    return ir::call(function, {value});
  };
  const ir::Expr half = ir::constant(0.5, x.type());
  switch (rounding) {
    case graph::Rounding::PreferFloor:
      return call(ir::Function::Ceil, x - half);
    case graph::Rounding::PreferCeil:
      return call(ir::Function::Floor, x + half);
    case graph::Rounding::Floor:
      return call(ir::Function::Floor, x);
    case graph::Rounding::Ceil:
      break;
  }
  return call(ir::Function::Ceil, x);
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

constexpr ir::Type kDouble{ir::Scalar::F64, 1};

ir::Expr coordinate(const Line& line, const ir::Expr& i) {
  return ir::cast(kDouble, i) * ir::constant(line.scale, kDouble) + ir::constant(line.offset, kDouble);
}

// The rounded coordinate in whole numbers where they give, for every element, what rounding gives.
std::optional<Fraction> whole_numbers(const Line& line, graph::Rounding rounding) {
  const std::optional<Fraction> exact = fraction_of(line);
  if (!exact) return std::nullopt;
  const Fraction fraction = rounded(rounding, *exact);
  for (std::int64_t i = 0; i < line.output; ++i) {
    if (static_cast<double>(fraction.floor_at(i)) != rounded(rounding, line.coordinate(i))) {
      return std::nullopt;
    }
  }
  return fraction;
}

ir::Expr place(const Line& line, graph::Rounding rounding, const ir::Expr& i) {
  if (const std::optional<Fraction> fraction = whole_numbers(line, rounding)) {
    return fraction->parts == 1 ? fraction->number(i)
                                : ir::floor_div(fraction->number(i), fraction->parts);
  }
  return ir::cast(ir::kIndex, rounded(rounding, coordinate(line, i)));
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

Between between(const Line& line, const ir::Expr& i, ir::Type type) {
  constexpr graph::Rounding kFloor = graph::Rounding::Floor;
  const ir::Expr at = place(line, kFloor, i);
  const double first = std::floor(line.coordinate(0));
  const double last = std::floor(line.coordinate(line.output - 1));
  const double lowest = std::min(first, last), highest = std::max(first, last);
  ir::Expr weight;
  if (const std::optional<Fraction> fraction = whole_numbers(line, kFloor)) {
    const ir::Expr rest = ir::cast(type, ir::floor_mod(fraction->number(i), fraction->parts));
    weight = rest * ir::constant(1.0 / static_cast<double>(fraction->parts), type);
  } else {
    weight = ir::cast(type, coordinate(line, i) - ir::cast(kDouble, at));
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
