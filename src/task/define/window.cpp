// Convolutions and pools, written as the catalogue writes them.
#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "graph/layout.h"
#include "task/define/define.h"
#include "task/define/sub_pixel.h"
#include "task/define/winograd.h"
#include "task/ops/sub_pixel.h"
#include "task/ops/window_ops.h"

namespace hone::task::define {
namespace {

using ops::Layout;
using ops::Windows;

constexpr std::size_t kMostPositions = 3;

// The tensors' shapes say how large blocks are.
Layout layout_of(const graph::Window& window) {
  constexpr std::array<std::string_view, 3> kNames = {"nchw", "nhwc", "nchw16c"};
  return Layout(kNames[static_cast<std::size_t>(window.layout)]);
}

// The channels of an image as its layout stores them, of each group.
Shape channels_of(const graph::Window& window, const Shape& image, std::int64_t groups = 1) {
  Shape extents;
  for (const std::size_t d : layout_of(window).channel_dims(window.kernel.size()))
    extents.push_back(image[d]);
  extents.front() /= groups;
  return extents;
}

Windows windows_of(const graph::Node& node, const graph::Window& window, const Shape& image) {
  const std::size_t n = window.kernel.size();
  if (n == 0 || n > kMostPositions) {
    throw UserError(fmt::format("{}: a window over {} dimensions", node.name, n),
                    "windows slide over one, two or three dimensions");
  }
  const std::vector<std::string> names = ops::position_names(n);
  const std::size_t first = graph::first_spatial(window.layout);
  Windows all;
  for (std::size_t d = 0; d < n; ++d) {
    all.push_back({names[d], image[first + d], window.kernel[d], window.strides[d], window.before[d],
                   window.after[d], window.dilations[d]});
  }
  return all;
}

// The weight of a depthwise convolution has one input channel, which is no dimension of its tensor.
std::vector<std::size_t> without_input_channel(const graph::Window& window, const Shape& weight) {
  const std::size_t n = window.kernel.size();
  const std::size_t block = window.layout == graph::Layout::Blocked ? n + 2 : weight.size();
  const std::size_t left_out = window.layout == graph::Layout::ChannelsLast ? n : 1;
  std::vector<std::size_t> kept;
  for (std::size_t d = 0; d < weight.size(); ++d) {
    if (d != left_out && d != block) kept.push_back(d);
  }
  return kept;
}

}  // namespace

void define(Scope& scope, const graph::Node& node, const graph::Conv& conv) {
  const ValueId image = node.inputs[0], weight = node.inputs[1], out = node.outputs[0];
  const Windows windows = windows_of(node, conv.window, scope.shape(image));
  const Layout layout = layout_of(conv.window);
  const Shape in = channels_of(conv.window, scope.shape(image)),
              made = channels_of(conv.window, scope.shape(out));
  const ir::Buffer x = scope.tensor(image, "X");
  if (conv.algorithm == graph::Algorithm::Winograd2 || conv.algorithm == graph::Algorithm::Winograd4) {
    const std::int64_t tile = conv.algorithm == graph::Algorithm::Winograd2 ? 2 : 4;
    const ops::Winograd form{layout, windows, in, made, tile};
    const ir::Buffer w = scope.prepared(
        weight, "W", winograd_weight({scope.type(weight).scalar, scope.shape(weight)}, form));
    scope.bind(out, ops::convolve_winograd(scope.draft(), form, x, w, scope.hints_for(weight)));
    return;
  }
  if (conv.groups == model::elements(in) && conv.groups > 1) {
    const ir::Buffer w =
        scope.tensor(weight, "W", without_input_channel(conv.window, scope.shape(weight)));
    scope.bind(out, ops::convolve_depthwise(scope.draft(), layout, windows, made, x, w,
                                            scope.hints_for(weight)));
    return;
  }
  const ops::Channels channels{channels_of(conv.window, scope.shape(image), conv.groups),
                               channels_of(conv.window, scope.shape(out), conv.groups), conv.groups};
  const ir::Buffer w = scope.tensor(weight, "W");
  scope.bind(out,
             ops::convolve(scope.draft(), layout, windows, channels, x, w, scope.hints_for(weight)));
}

void define(Scope& scope, const graph::Node& node, const graph::ConvTranspose& conv) {
  const ValueId image = node.inputs[0], weight = node.inputs[1];
  const Windows windows = windows_of(node, conv.window, scope.shape(image));
  const ops::Channels channels{channels_of(conv.window, scope.shape(image), conv.groups),
                               channels_of(conv.window, scope.shape(node.outputs[0]), conv.groups),
                               conv.groups};
  const Layout layout = layout_of(conv.window);
  const ir::Buffer x = scope.tensor(image, "X");
  if (conv.algorithm == graph::Algorithm::SubPixel) {
    const ir::Buffer w = scope.prepared(
        weight, "W",
        sub_pixel_weight({scope.type(weight).scalar, scope.shape(weight)}, layout, windows));
    scope.bind(node.outputs[0], ops::convolve_sub_pixels(scope.draft(), layout, windows, channels, x, w,
                                                         scope.hints_for(weight)));
    return;
  }
  const ir::Buffer w = scope.tensor(weight, "W");
  scope.bind(node.outputs[0], ops::convolve_transposed(scope.draft(), layout, windows, channels, x, w,
                                                       scope.hints_for(weight)));
}

void define(Scope& scope, const graph::Node& node, const graph::Pool& pool) {
  const ValueId image = node.inputs[0];
  const Windows windows = windows_of(node, pool.window, scope.shape(image));
  check(pool.reduction == graph::Reduction::Max || pool.reduction == graph::Reduction::Sum,
        "a pool takes the largest element or the sum");
  const Reducer reducer = pool.reduction == graph::Reduction::Max ? Reducer::Max : Reducer::Sum;
  scope.bind(node.outputs[0], ops::pool(scope.draft(), layout_of(pool.window), windows, reducer,
                                        scope.tensor(image, "X")));
}

}  // namespace hone::task::define
