// Resize and its forerunner Upsample.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "graph/infer.h"
#include "graph/onnx/axes.h"
#include "graph/onnx/readers.h"

namespace hone::graph::onnx {
namespace {

// One dimension: how long it was and is, and the ratio of the two as the node gives it.
struct Stretch {
  double from, to, ratio;
};

struct Line {
  double scale, offset;  // place in the input = scale * place in the output + offset
};

Line line_of(const std::string& mode, const Stretch& s) {
  const double step = 1 / s.ratio;
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

bool is_linear(const Attributes& attributes) {
  const std::string mode = attributes.text("mode", "nearest");
  if (mode == "nearest") return false;
  if (mode == "linear" || mode == "bilinear") return true;
  throw UserError(fmt::format("its mode is `{}`; hone reads `nearest` and `linear`", mode));
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
    s = {s.from, std::floor(s.from * ratios[i]), ratios[i]};
  }
}

void fit(std::vector<Stretch>& all, const std::vector<int>& axes,
         const std::vector<std::int64_t>& sizes) {
  if (sizes.size() != axes.size())
    throw UserError(fmt::format("it has {} sizes for {} axes", sizes.size(), axes.size()));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Stretch& s = all[static_cast<std::size_t>(axes[i])];
    const auto to = static_cast<double>(sizes[i]);
    s = {s.from, to, s.from > 0 ? to / s.from : 1};
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
  resize.linear = is_linear(r.attributes);
  resize.rounding = Rounding::Floor;
  return {r.emit.add(std::move(resize), {r.input(0)})};
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
  if (r.has_input(3))
    fit(all, axes, r.integers(3, "sizes"));
  else
    scale(all, axes, r.numbers(2, "scales"));
  Resize resize = resize_to(all, r.attributes.text("coordinate_transformation_mode", "half_pixel"));
  resize.linear = is_linear(r.attributes);
  resize.rounding = rounding_of(r.attributes.text("nearest_mode", "round_prefer_floor"));
  return {r.emit.add(std::move(resize), {r.input(0)})};
}

}  // namespace

Readers resizes() { return {{"Resize", read_resize}, {"Upsample", read_upsample}}; }

}  // namespace hone::graph::onnx
