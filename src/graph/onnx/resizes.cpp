// Resize and its forerunner Upsample.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "graph/infer.h"
#include "graph/onnx/axes.h"
#include "graph/onnx/cubic.h"
#include "graph/onnx/readers.h"

namespace hone::graph::onnx {
namespace {

using ir::Expr;

// One dimension: how long it was and is, and the ratio of the two as the node gives it; which part of
// the input is taken, where 0 and 1 are its ends.
struct Stretch {
  double from, to, ratio, begin = 0, end = 1;
};

struct Line {
  double scale, offset;  // place in the input = scale * place in the output + offset
};

Line line_of(const std::string& mode, const Stretch& s) {
  const double step = 1 / s.ratio;
  if (mode == "tf_crop_and_resize") {
    const double last = s.from - 1;
    if (s.to > 1) return {(s.end - s.begin) * last / (s.to - 1), s.begin * last};
    return {0, (s.begin + s.end) / 2 * last};
  }
  if (s.from == s.to && s.ratio == 1) return {1, 0};
  if (mode == "asymmetric") return {step, 0};
  if (mode == "half_pixel") return {step, 0.5 * step - 0.5};
  if (mode == "pytorch_half_pixel") return s.to > 1 ? Line{step, 0.5 * step - 0.5} : Line{0, 0};
  // ONNX measures the output before its extent is rounded down.
  if (mode == "align_corners") return {s.to > 1 ? (s.from - 1) / (s.from * s.ratio - 1) : 0, 0};
  if (mode == "tf_half_pixel_for_nn") return {step, 0.5 * step};
  if (mode == "half_pixel_symmetric") {
    const double adjustment = s.to / (s.ratio * s.from);
    return {step, s.from / 2 * (1 - adjustment) + 0.5 * step - 0.5};
  }
  throw UserError(fmt::format("its coordinates are by `{}`, which is not supported", mode));
}

Rounding rounding_of(const std::string& mode) {
  if (mode == "round_prefer_floor") return Rounding::PreferFloor;
  if (mode == "round_prefer_ceil") return Rounding::PreferCeil;
  if (mode == "floor") return Rounding::Floor;
  if (mode == "ceil") return Rounding::Ceil;
  throw UserError(fmt::format("its attribute `nearest_mode` is `{}`, which is unknown", mode));
}

enum class Mode : std::uint8_t { Nearest, Linear, Cubic };

Mode mode_of(const Attributes& attributes) {
  const std::string mode = attributes.text("mode", "nearest");
  if (mode == "nearest") return Mode::Nearest;
  if (mode == "linear" || mode == "bilinear") return Mode::Linear;
  if (mode == "cubic") return Mode::Cubic;
  throw UserError(fmt::format("its mode `{}` is unknown", mode));
}

std::vector<Stretch> unchanged(const Shape& shape) {
  std::vector<Stretch> all;
  for (const std::int64_t extent : shape)
    all.push_back({static_cast<double>(extent), static_cast<double>(extent), 1});
  return all;
}

void scale(std::vector<Stretch>& all, const std::vector<int>& axes, const std::vector<double>& ratios) {
  if (ratios.size() != axes.size())
    throw UserError(fmt::format("it has {} scales for {} axes", ratios.size(), axes.size()));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Stretch& s = all[static_cast<std::size_t>(axes[i])];
    if (!(ratios[i] > 0) || !std::isfinite(ratios[i]))
      throw UserError(fmt::format("its scale is {}", ratios[i]));
    s.to = std::floor(s.from * ratios[i]);
    s.ratio = ratios[i];
  }
}

void fit(std::vector<Stretch>& all, const std::vector<int>& axes,
         const std::vector<std::int64_t>& sizes) {
  if (sizes.size() != axes.size())
    throw UserError(fmt::format("it has {} sizes for {} axes", sizes.size(), axes.size()));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Stretch& s = all[static_cast<std::size_t>(axes[i])];
    s.to = static_cast<double>(sizes[i]);
    s.ratio = s.from > 0 ? s.to / s.from : 1;
  }
}

void crop(std::vector<Stretch>& all, const std::vector<int>& axes, const std::vector<double>& region) {
  if (region.size() != 2 * axes.size())
    throw UserError(
        fmt::format("it has {} bounds of its region for {} axes", region.size(), axes.size()));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Stretch& s = all[static_cast<std::size_t>(axes[i])];
    s.begin = region[i];
    s.end = region[axes.size() + i];
  }
}

Resize resize_to(const std::vector<Stretch>& all, const std::string& coordinates) {
  Resize resize;
  for (const Stretch& s : all) {
    if (!(s.to < static_cast<double>(kMaxElements))) throw UserError("its output is too large");
    const Line line = line_of(coordinates, s);
    resize.scales.push_back(line.scale);
    resize.offsets.push_back(line.offset);
    resize.shape.push_back(static_cast<std::int64_t>(s.to));
  }
  return resize;
}

std::vector<ValueId> read_upsample(const Reading& r) {
  const Shape shape = r.emit.shape(r.input(0));
  const auto given = r.attributes.numbers("scales");
  std::vector<Stretch> all = unchanged(shape);
  scale(all, axes_from(0, shape.size()), given ? *given : r.numbers(1, "scales"));
  Resize resize = resize_to(all, "asymmetric");
  resize.linear = mode_of(r.attributes) == Mode::Linear;
  resize.rounding = Rounding::Floor;
  return {r.emit.add(std::move(resize), {r.input(0)})};
}

// What a region has outside the input is a value of its own.
ValueId with_outside(const Reading& r, ValueId y, const Resize& resize) {
  const Shape shape = r.emit.shape(r.input(0));
  const double outside = r.attributes.number("extrapolation_value", 0);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto last = static_cast<double>(shape[d] - 1);
    Shape along(shape.size() - d, 1);
    along[0] = resize.shape[d];
    const ValueId places = r.emit.reshape(r.emit.iota(resize.shape[d]), along);
    const ValueId is_inside = r.emit.map({places}, [&](const auto& i) {
      const Expr at = ir::cast({ir::Scalar::F64}, i[0]);
      const Expr place = at * literal(resize.scales[d], at) + literal(resize.offsets[d], at);
      return ir::logical_and(place >= literal(0, at), place <= literal(last, at));
    });
    y = r.emit.map_mixed({is_inside, y},
                         [&](const auto& v) { return ir::select(v[0], v[1], literal(outside, v[1])); });
  }
  return y;
}

std::vector<ValueId> read_resize(const Reading& r) {
  if (r.opset < 11) return read_upsample(r);
  const Shape shape = r.emit.shape(r.input(0));
  if (r.attributes.flag("antialias", false))
    throw UserError("its attribute `antialias` is not supported");
  if (r.attributes.text("keep_aspect_ratio_policy", "stretch") != "stretch")
    throw UserError("its attribute `keep_aspect_ratio_policy` is not supported");
  std::vector<std::int64_t> every(shape.size());
  std::iota(every.begin(), every.end(), 0);
  const std::vector<std::int64_t> named = r.attributes.integers("axes").value_or(every);
  axes_in(named, shape.size());  // refuses an axis that is named twice
  std::vector<int> axes;         // in the order of the scales
  for (const std::int64_t axis : named) axes.push_back(axis_in(axis, shape.size()));
  std::vector<Stretch> all = unchanged(shape);
  if (r.has_input(3)) {
    fit(all, axes, r.integers(3, "sizes"));
  } else {
    scale(all, axes, r.numbers(2, "scales"));
  }
  const std::string coordinates = r.attributes.text("coordinate_transformation_mode", "half_pixel");
  const bool crops = coordinates == "tf_crop_and_resize";
  if (crops) crop(all, axes, r.numbers(1, "region"));
  Resize resize = resize_to(all, coordinates);
  const Mode mode = mode_of(r.attributes);
  resize.linear = mode == Mode::Linear;
  resize.rounding = rounding_of(r.attributes.text("nearest_mode", "round_prefer_floor"));
  const ValueId y = mode == Mode::Cubic ? resize_cubic(r.emit, r.float_input(0), resize,
                                                       r.attributes.number("cubic_coeff_a", -0.75),
                                                       r.attributes.flag("exclude_outside", false))
                                        : r.emit.add(resize, {r.input(0)});
  return {crops ? with_outside(r, y, resize) : y};
}

}  // namespace

Readers resizes() { return {{"Resize", read_resize}, {"Upsample", read_upsample}}; }

}  // namespace hone::graph::onnx
