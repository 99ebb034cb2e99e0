#include "task/ops/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"

namespace hone::task::ops {
namespace {

constexpr std::int64_t kBlock = 16;

struct Dimension {
  std::string_view size, letter, axis;  // keys "depth", "kd", ...; loop "z"
};
constexpr std::array<Dimension, 3> kDimensions = {
    {{"depth", "d", "z"}, {"h", "h", "y"}, {"w", "w", "x"}}};

// The last `count` of them: an image of one dimension has a width.
std::vector<Dimension> dimensions(int count) { return {kDimensions.end() - count, kDimensions.end()}; }

}  // namespace

Key layout_key() {
  return {.name = "layout",
          .fallback = "nchw",
          .meaning = "order of the dimensions; nchw16c has blocks of 16 channels",
          .words = {"nchw", "nhwc", "nchw16c"}};
}

Key batch_key() { return {"n", "1", "images"}; }

Layout::Layout(std::string_view name)
    : channels_last_(name == "nhwc"), is_blocked_(name == "nchw16c") {}

Shape Layout::channel_extents(std::int64_t channels, std::string_view key) const {
  if (!is_blocked_) return {channels};
  const std::int64_t block = std::min(channels, kBlock);
  if (channels % block == 0) return {channels / block, block};
  throw UserError(
      fmt::format("layout nchw16c: {} channels ({}) do not fill blocks of {}", channels, key, kBlock),
      fmt::format("the nearest that do are {} and {}; or take layout=nhwc", channels / kBlock * kBlock,
                  (channels / kBlock + 1) * kBlock));
}

std::vector<std::string> position_names(std::size_t count) {
  std::vector<std::string> names;
  for (const Dimension& dimension : dimensions(static_cast<int>(count))) {
    names.emplace_back(dimension.axis);
  }
  return names;
}

ChannelDims Layout::channel_dims(std::size_t positions) const {
  if (channels_last_) return {1 + positions};
  return is_blocked_ ? ChannelDims{1, 2 + positions} : ChannelDims{1};
}

Axes Layout::channel_axes_of(const ir::BufferNode& image, std::size_t positions) const {
  Shape extents;
  for (const std::size_t dim : channel_dims(positions)) extents.push_back(image.shape[dim]);
  return channel_axes("c", extents);
}

Axes channel_axes(const std::string& name, const Shape& extents) {
  Axes axes = {axis(name, extents.front())};
  if (extents.size() > 1) axes.push_back(axis(name + "b", extents.back()));
  return axes;
}

std::vector<Key> size_keys(int count) {
  if (count == 1) return {{"w", "", "width"}};
  std::vector<Key> keys;
  if (count == 3) {
    keys.push_back({"dhw", "", "depth, height and width"});
    keys.push_back({"depth", "dhw", "depth"});
  }
  keys.push_back({"hw", count == 3 ? "dhw" : "", "height and width"});
  keys.push_back({"h", "hw", "height"});
  keys.push_back({"w", "hw", "width"});
  return keys;
}

std::vector<Key> window_keys(int count, const std::string& stride) {
  std::vector<Key> keys;
  const auto add = [&](const Key& shared) {
    keys.push_back(shared);
    if (count == 1) return;
    for (const Dimension& dimension : dimensions(count)) {
      keys.push_back({fmt::format("{}{}", shared.name, dimension.letter), shared.name,
                      fmt::format("{} along {}", shared.meaning, dimension.size), shared.least});
    }
  };
  add({"k", "", "size of the kernel"});
  add({"s", stride, "stride"});
  add({"p", "0", "padding on each side", 0});
  add({"d", "1", "dilation: distance of neighbouring taps"});
  return keys;
}

Windows windows(const Arguments& args, int count) {
  Windows all;
  for (const Dimension& dimension : dimensions(count)) {
    const auto value = [&](const char* name) {
      return args[count == 1 ? name : fmt::format("{}{}", name, dimension.letter)];
    };
    all.push_back({std::string(dimension.axis), args[dimension.size], value("k"), value("s"),
                   value("p"), value("p"), value("d")});
  }
  return all;
}

void check_fit(const Arguments& args, const Windows& windows) {
  for (const Window& window : windows) {
    if (window.span() <= window.padded()) continue;
    throw UserError(
        fmt::format("{}: the kernel covers {} elements along {} but the padded input has {}",
                    args.operator_name(), window.span(), window.axis, window.padded()),
        fmt::format("a kernel of {} or a padding of {} would fit",
                    (window.padded() - 1) / window.dilation + 1,
                    (window.span() - window.input + 1) / 2));
  }
}

Axes output_axes(const Windows& windows) {
  Axes axes;
  for (const Window& window : windows) axes.push_back(axis(window.axis, window.output()));
  return axes;
}

Axes tap_axes(const Windows& windows) {
  Axes axes;
  for (const Window& window : windows) axes.push_back(axis("r" + window.axis, window.kernel));
  return axes;
}

Index tap_positions(const Windows& windows, const Axes& output, const Axes& taps) {
  Index index;
  for (std::size_t d = 0; d < windows.size(); ++d) {
    index.push_back(times(output[d].var, windows[d].stride) + times(taps[d].var, windows[d].dilation));
  }
  return index;
}

ir::Expr all_of(const std::vector<ir::Expr>& conditions) {
  ir::Expr all = conditions.front();
  for (std::size_t i = 1; i < conditions.size(); ++i) all = ir::logical_and(all, conditions[i]);
  return all;
}

ir::Buffer pad(Draft& draft, const std::string& name, const ir::Buffer& tensor, const Axes& dims,
               const std::vector<Margin>& margins, const ir::Expr& value) {
  Axes axes;
  Index index;
  std::vector<ir::Expr> inside;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const auto [before, after] = margins[d];
    axes.push_back(axis(std::string(ir::name_of(dims[d].var)), dims[d].extent + before + after));
    const ir::Expr& at = axes.back().var;
    index.push_back(plus(at, -before));
    if (before <= 0 && after <= 0) continue;
    inside.push_back(at >= before);
    inside.push_back(at < before + dims[d].extent);
  }
  const ir::Expr element = ir::load(tensor, std::move(index));
  if (!inside.empty()) {
    return draft.compute(name, std::move(axes), ir::select(all_of(inside), element, value, true));
  }
  return shape_of(axes) == tensor->shape ? tensor : draft.compute(name, std::move(axes), element);
}

ir::Buffer image_placeholder(Draft& draft, const Layout& layout, std::int64_t batch,
                             const Shape& channels, const Windows& windows) {
  Shape sizes;
  for (const Window& window : windows) sizes.push_back(window.input);
  return draft.placeholder("X", layout.batch(batch, channels, sizes));
}

ir::Buffer padded_image(Draft& draft, const Layout& layout, const ir::Buffer& image,
                        const Windows& windows, const ir::Expr& value) {
  Axes positions;
  std::vector<Margin> margins;
  for (const Window& window : windows) {
    positions.push_back(axis(window.axis, window.input));
    margins.push_back({window.before, window.after});
  }
  const Axes channels = layout.channel_axes_of(*image, windows.size());
  const Axes dims = layout.batch(axis("n", image->shape[0]), channels, positions);
  const std::vector<Margin> none(channels.size());
  return pad(draft, "pad", image, dims, layout.batch(Margin{}, none, margins), value);
}

}  // namespace hone::task::ops
