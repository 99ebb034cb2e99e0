// Transposed convolution, as a plain one over the input spread out by the stride.
#include <fmt/format.h>

#include "base/error.h"
#include "task/ops/image.h"

namespace hone::task::ops {
namespace {

// The plain window that runs over the spread input: `padding` is what surrounds it, before the extra.
Window over_spread(const Arguments& args, const Window& window) {
  Window plain = window;
  plain.input = (window.input - 1) * window.stride + 1;
  plain.padding = window.span() - 1 - window.padding;
  plain.stride = 1;
  if (plain.padding < 0) {
    throw UserError(fmt::format("{}: a padding of {} cuts off more than the kernel, which covers {}",
                                args.operator_name(), window.padding, window.span()),
                    fmt::format("the padding is at most {}", window.span() - 1));
  }
  const std::int64_t extra = args["op"];
  if (extra >= window.stride && extra > 0) {
    throw UserError(
        fmt::format("{}: op={} is not below the stride {}", args.operator_name(), extra, window.stride),
        fmt::format("the nearest that is: op={}", window.stride - 1));
  }
  if (plain.span() > plain.input + 2 * plain.padding + extra) {
    throw UserError(fmt::format("{}: a padding of {} leaves no output along {}", args.operator_name(),
                                window.padding, window.axis),
                    "a smaller p, or a larger k");
  }
  return plain;
}

// Zeros between the elements and around them. Reads the image where the distance from the first
// element is a multiple of the stride.
ir::Buffer spread(Draft& draft, const ir::Buffer& image, const Layout& layout, const Axes& channels,
                  const Windows& windows, const Windows& plain, std::int64_t extra) {
  Axes at;
  Index from;
  std::vector<ir::Expr> inside, on_element;
  for (std::size_t d = 0; d < windows.size(); ++d) {
    const std::int64_t input = plain[d].input, padding = plain[d].padding;
    at.push_back(axis(plain[d].axis, input + 2 * padding + extra));
    const ir::Expr distance = plus(at[d].var, -padding);
    const std::int64_t step = windows[d].stride;
    if (padding > 0 || extra > 0) {
      inside.push_back(at[d].var >= padding);
      inside.push_back(at[d].var < padding + input);
    }
    if (step > 1) on_element.push_back(ir::eq(ir::floor_mod(distance, step), 0));
    from.push_back(step > 1 ? ir::floor_div(distance, step) : distance);
  }
  inside.insert(inside.end(), on_element.begin(), on_element.end());
  if (inside.empty()) return image;
  const Axis n = axis("n", image->shape[0]);
  const ir::Expr element = ir::load(image, layout.batch(n.var, index_of(channels), from));
  return draft.compute("dilate_pad", layout.batch(n, channels, at),
                       ir::select(all_of(inside), element, ir::constant(0, draft.type()), true));
}

ChannelDims write_transposed(Draft& draft, const Arguments& args) {
  const Layout layout(args.word("layout"));
  const std::int64_t extra = args["op"];
  const Windows window = windows(args, 2);
  Windows plain;
  Axes at;
  Shape sizes;
  for (const Window& w : window) {
    plain.push_back(over_spread(args, w));
    at.push_back(axis(w.axis, plain.back().output() + extra));
    sizes.push_back(w.input);
  }
  const Shape in = layout.channel_extents(args["ci"], "ci"),
              out = layout.channel_extents(args["co"], "co");
  const ir::Buffer image = draft.placeholder("X", layout.batch(args["n"], in, sizes));
  const ir::Buffer x = spread(draft, image, layout, channel_axes("c", in), window, plain, extra);

  const Axis n = axis("n", args["n"]);
  const Axes c = channel_axes("c", out), rc = channel_axes("rc", in), taps = tap_axes(plain);
  const ir::Buffer w = draft.placeholder("W", shape_of(layout.order(rc, layout.order(c, taps))));
  Index flipped;  // the first tap of the plain window is the last of the transposed one
  for (const Axis& tap : taps) flipped.push_back((tap.extent - 1) - tap.var);
  const Index weight = layout.order(index_of(rc), layout.order(index_of(c), flipped));
  const Index source = layout.batch(n.var, index_of(rc), tap_positions(plain, at, taps));
  draft.reduce("transposed_conv", layout.batch(n, c, at), {Reducer::Sum, layout.order(rc, taps)},
               read_to_sum(x, source) * read_to_sum(w, weight), with_weight(w));
  return layout.channel_dims(window.size());
}

}  // namespace

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
