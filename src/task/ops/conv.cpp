// Convolutions: plain and grouped in one to three dimensions, depthwise, transposed, of capsules.
#include <fmt/format.h>

#include <numeric>

#include "base/error.h"
#include "task/ops/window_ops.h"

namespace hone::task::ops {
namespace {

void check_groups(const Arguments& args) {
  const std::int64_t groups = args["g"], common = std::gcd(args["ci"], args["co"]);
  if (common % groups == 0) return;
  std::int64_t below = std::min(groups, common), above = groups;
  while (common % below != 0) --below;
  while (above < common && common % above != 0) ++above;
  const bool has_above = common % above == 0 && above - groups < groups - below;
  throw UserError(fmt::format("{}: {} groups do not divide both {} input and {} output channels",
                              args.operator_name(), groups, args["ci"], args["co"]),
                  fmt::format("the nearest number that does is g={}", has_above ? above : below));
}

ChannelDims write_conv(Draft& draft, const Arguments& args, int dimensions) {
  check_groups(args);
  const Layout layout(args.word("layout"));
  const Windows window = windows(args, dimensions);
  check_fit(args, window);
  const std::int64_t groups = args["g"];
  const Channels channels{layout.channel_extents(args["ci"] / groups, "ci"),
                          layout.channel_extents(args["co"] / groups, "co"), groups};
  Shape in = channels.in;
  in[0] *= groups;
  const ir::Buffer x = image_placeholder(draft, layout, args["n"], in, window);
  const ir::Buffer w = draft.placeholder("W", weight_shape(layout, window, channels));
  convolve(draft, layout, window, channels, x, w, with_weight(w));
  return layout.channel_dims(window.size());
}

ChannelDims write_conv1d(Draft& draft, const Arguments& args) { return write_conv(draft, args, 1); }
ChannelDims write_conv2d(Draft& draft, const Arguments& args) { return write_conv(draft, args, 2); }
ChannelDims write_conv3d(Draft& draft, const Arguments& args) { return write_conv(draft, args, 3); }

ChannelDims write_depthwise(Draft& draft, const Arguments& args) {
  const Layout layout(args.word("layout"));
  const Windows window = windows(args, 2);
  check_fit(args, window);
  const Shape channels = layout.channel_extents(args["ci"], "ci");
  const ir::Buffer x = image_placeholder(draft, layout, args["n"], channels, window);
  const ir::Buffer w = draft.placeholder("W", depthwise_weight_shape(layout, window, channels));
  convolve_depthwise(draft, layout, window, channels, x, w, with_weight(w));
  return layout.channel_dims(window.size());
}

// Capsules: each channel is a small square matrix, and so is each weight.
ChannelDims write_capsule(Draft& draft, const Arguments& args) {
  const Windows window = windows(args, 2);
  check_fit(args, window);
  const std::int64_t n_images = args["n"], size = args["cap"];
  const Axes dims = {axis("n", n_images),
                     axis("y", window[0].input),
                     axis("x", window[1].input),
                     axis("c", args["ci"]),
                     axis("a", size),
                     axis("b", size)};
  const Margin high{window[0].before, window[0].after}, wide{window[1].before, window[1].after};
  const ir::Buffer x = pad(draft, "pad", draft.placeholder("X", shape_of(dims)), dims,
                           {{}, high, wide, {}, {}, {}}, ir::constant(0, draft.type()));
  const Axes at = output_axes(window), taps = tap_axes(window);
  const Axis n = axis("n", n_images), c = axis("c", args["co"]), a = axis("a", size),
             b = axis("b", size);
  const Axis rc = axis("rc", args["ci"]), k = axis("k", size);
  const Axes weight = {taps[0], taps[1], rc, c, k, b};
  const ir::Buffer w = draft.placeholder("W", shape_of(weight));
  const Index position = tap_positions(window, at, taps);
  draft.reduce("capsule", {n, at[0], at[1], c, a, b}, {Reducer::Sum, {taps[0], taps[1], rc, k}},
               read_to_sum(x, {n.var, position[0], position[1], rc.var, a.var, k.var}) *
                   read_to_sum(w, index_of(weight)),
               with_weight(w));
  return {3};
}

std::vector<Key> conv_keys(int dimensions, std::vector<Key> more) {
  std::vector<Key> keys = {batch_key(), {"ci", "", "input channels"}};
  const auto append = [&](const std::vector<Key>& some) {
    keys.insert(keys.end(), some.begin(), some.end());
  };
  append(size_keys(dimensions));
  append(window_keys(dimensions, "1"));
  append(more);
  keys.push_back(number_types());
  return keys;
}

}  // namespace

std::vector<Operator> conv_operators() {
  const Key out{"co", "", "output channels"}, groups{"g", "1", "groups of channels"};
  return {
      {"conv1d", "convolution over one dimension", conv_keys(1, {out, groups, layout_key()}),
       "conv1d:ci=64,w=256,co=128,k=3,s=2,p=1", write_conv1d},
      {"conv2d", "convolution of images", conv_keys(2, {out, groups, layout_key()}),
       "conv2d:ci=64,hw=56,co=64,k=3,p=1,layout=nhwc+bias+relu", write_conv2d},
      {"conv3d", "convolution of volumes", conv_keys(3, {out, groups, layout_key()}),
       "conv3d:ci=32,dhw=14,co=32,k=3,p=1", write_conv3d},
      {"depthwise", "convolution of each channel by itself", conv_keys(2, {layout_key()}),
       "depthwise:ci=32,hw=112,k=3,p=1,layout=nhwc+bias+relu6", write_depthwise},
      {"capsule_conv2d", "convolution whose channels are matrices, channels last",
       conv_keys(2, {out, {"cap", "4", "rows and columns of a channel"}}),
       "capsule_conv2d:ci=32,hw=16,co=32,k=3,s=2,p=1", write_capsule},
  };
}

}  // namespace hone::task::ops
