// Transposed convolution, as a plain one over the input spread out by the stride.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "task/ops/window_ops.h"

namespace hone::task::ops {
namespace {

// Input channels, output channels and taps in the order in which a weight has them.
template <class T>
std::vector<T> weight_order(const Layout& layout, const std::vector<T>& in, const std::vector<T>& out,
                            const std::vector<T>& taps) {
  return layout.channels_last() ? layout.order(out, layout.order(in, taps))
                                : layout.order(in, layout.order(out, taps));
}

// The plain window that runs over the spread input.
Window over_spread(const Window& window) {
  Window plain = window;
  plain.input = (window.input - 1) * window.stride + 1;
  plain.before = window.span() - 1 - window.before;
  plain.after = window.span() - 1 - window.after;
  plain.stride = 1;
  return plain;
}

// Zeros between the elements and around them. Reads the image where the distance from the first
// element is a multiple of the stride.
ir::Buffer spread(Draft& draft, const ir::Buffer& image, const Layout& layout, const Windows& windows,
                  const Windows& plain) {
  Axes at;
  Index from;
  std::vector<ir::Expr> inside, on_element;
  for (std::size_t d = 0; d < windows.size(); ++d) {
    const auto& [name, input, kernel, one, before, after, dilation] = plain[d];
    at.push_back(axis(name, plain[d].padded()));
    const ir::Expr distance = plus(at[d].var, -before);
    const std::int64_t step = windows[d].stride;
    if (before > 0 || after > 0) {
      inside.push_back(at[d].var >= before);
      inside.push_back(at[d].var < before + input);
    }
    if (step > 1) on_element.push_back(ir::eq(ir::floor_mod(distance, step), 0));
    from.push_back(step > 1 ? ir::floor_div(distance, step) : distance);
  }
  inside.insert(inside.end(), on_element.begin(), on_element.end());
  const Axis n = axis("n", image->shape[0]);
  const Axes channels = layout.channel_axes_of(*image, windows.size());
  const ir::Expr element = ir::load(image, layout.batch(n.var, index_of(channels), from));
  if (inside.empty()) {
    const bool is_cut =
        std::ranges::any_of(plain, [](const Window& w) { return w.padded() < w.input; });
    return is_cut ? draft.compute("crop", layout.batch(n, channels, at), element) : image;
  }
  return draft.compute("dilate_pad", layout.batch(n, channels, at),
                       ir::select(all_of(inside), element, ir::constant(0, image->type), true));
}

// The catalogue's windows, with the extra rows and columns at the output's end as less padding there.
Windows windows_with_extra(const Arguments& args) {
  const std::int64_t extra = args["op"];
  Windows all = windows(args, 2);
  for (Window& window : all) {
    if (window.before > window.span() - 1) {
      throw UserError(fmt::format("{}: a padding of {} cuts off more than the kernel, which covers {}",
                                  args.operator_name(), window.before, window.span()),
                      fmt::format("the padding is at most {}", window.span() - 1));
    }
    if (extra >= window.stride && extra > 0) {
      throw UserError(fmt::format("{}: op={} is not below the stride {}", args.operator_name(), extra,
                                  window.stride),
                      fmt::format("the nearest that is: op={}", window.stride - 1));
    }
    window.after -= extra;
    if (transposed_extent(window) < 1) {
      throw UserError(fmt::format("{}: a padding of {} leaves no output along {}", args.operator_name(),
                                  window.before, window.axis),
                      "a smaller p, or a larger k");
    }
  }
  return all;
}

ChannelDims write_transposed(Draft& draft, const Arguments& args) {
  const Layout layout(args.word("layout"));
  const Windows window = windows_with_extra(args);
  const Channels channels{layout.channel_extents(args["ci"], "ci"),
                          layout.channel_extents(args["co"], "co")};
  const ir::Buffer x = image_placeholder(draft, layout, args["n"], channels.in, window);
  const ir::Buffer w = draft.placeholder("W", transposed_weight_shape(layout, window, channels));
  convolve_transposed(draft, layout, window, channels, x, w, with_weight(w));
  return layout.channel_dims(window.size());
}

}  // namespace

std::int64_t transposed_extent(const Window& window) { return over_spread(window).output(); }

Shape transposed_weight_shape(const Layout& layout, const Windows& windows, const Channels& channels) {
  Shape taps, in = channels.in;
  for (const Window& window : windows) taps.push_back(window.kernel);
  in[0] *= channels.groups;
  return weight_order(layout, in, channels.out, taps);
}

ir::Buffer convolve_transposed(Draft& draft, const Layout& layout, const Windows& windows,
                               const Channels& channels, const ir::Buffer& image,
                               const ir::Buffer& weight, Hints hints) {
  Windows plain;
  for (const Window& window : windows) plain.push_back(over_spread(window));
  const ir::Buffer x = spread(draft, image, layout, windows, plain);

  const Axis n = axis("n", image->shape[0]);
  Shape out = channels.out;
  out[0] *= channels.groups;
  const Axes c = channel_axes("c", out), rc = channel_axes("rc", channels.in), taps = tap_axes(plain);
  const Axes at = output_axes(plain);
  Index from = index_of(rc), to = index_of(c);
  if (channels.groups > 1) {
    from[0] = times(ir::floor_div(c[0].var, channels.out[0]), channels.in[0]) + from[0];
    to[0] = ir::floor_mod(to[0], channels.out[0]);
  }
  Index flipped;  // the first tap of the plain window is the last of the transposed one
  for (const Axis& tap : taps) flipped.push_back((tap.extent - 1) - tap.var);
  const Index weights = weight_order(layout, from, to, flipped);
  const Index source = layout.batch(n.var, from, tap_positions(plain, at, taps));
  return draft.reduce("transposed_conv", layout.batch(n, c, at), {Reducer::Sum, layout.order(rc, taps)},
                      read_to_sum(x, source) * read_to_sum(weight, weights), std::move(hints));
}

std::vector<Operator> transposed_conv_operators() {
  std::vector<Key> keys = {batch_key(), {"ci", "", "input channels"}, {"co", "", "output channels"}};
  for (const auto& group : {size_keys(2), window_keys(2, "1")}) {
    keys.insert(keys.end(), group.begin(), group.end());
  }
  keys.push_back({"op", "0", "rows and columns added to the output's end", 0});
  keys.push_back(layout_key());
  keys.push_back(number_types());
  return {{"conv2d_transpose", "transposed convolution: each input element scatters a kernel", keys,
           "conv2d_transpose:ci=256,hw=8,co=128,k=4,s=2,p=1", write_transposed}};
}

}  // namespace hone::task::ops
