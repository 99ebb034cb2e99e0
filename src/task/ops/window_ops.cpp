#include "task/ops/window_ops.h"

#include "base/error.h"

namespace hone::task::ops {
namespace {

Shape times_groups(Shape extents, std::int64_t groups) {
  extents[0] *= groups;
  return extents;
}

ir::Expr zero_of(const ir::Buffer& buffer) { return ir::constant(0, buffer->type); }

}  // namespace

Shape weight_shape(const Layout& layout, const Windows& windows, const Channels& channels) {
  Shape taps;
  for (const Window& window : windows) taps.push_back(window.kernel);
  return layout.order(times_groups(channels.out, channels.groups), layout.order(channels.in, taps));
}

ir::Buffer convolve(Draft& draft, const Layout& layout, const Windows& windows,
                    const Channels& channels, const ir::Buffer& image, const ir::Buffer& weight,
                    Hints hints) {
  const ir::Buffer x = padded_image(draft, layout, image, windows, zero_of(image));
  const Axis n = axis("n", image->shape[0]);
  const Axes c = channel_axes("c", times_groups(channels.out, channels.groups));
  const Axes at = output_axes(windows), rc = channel_axes("rc", channels.in), taps = tap_axes(windows);
  const Axes reduced = layout.order(rc, taps);
  Index channel = index_of(rc);
  if (channels.groups > 1) {
    const ir::Expr group = ir::floor_div(c[0].var, channels.out[0]);
    channel[0] = times(group, channels.in[0]) + channel[0];
  }
  const Index source = layout.batch(n.var, channel, tap_positions(windows, at, taps));
  return draft.reduce("conv", layout.batch(n, c, at), {Reducer::Sum, reduced},
                      read_to_sum(x, source) * read_to_sum(weight, index_of(layout.order(c, reduced))),
                      std::move(hints));
}

Shape depthwise_weight_shape(const Layout& layout, const Windows& windows, const Shape& channels) {
  Shape taps;
  for (const Window& window : windows) taps.push_back(window.kernel);
  return layout.order(channels, taps);
}

ir::Buffer convolve_depthwise(Draft& draft, const Layout& layout, const Windows& windows,
                              const Shape& channels, const ir::Buffer& image, const ir::Buffer& weight,
                              Hints hints) {
  const std::int64_t each = channels[0] / image->shape[layout.channel_dims(windows.size()).front()];
  const ir::Buffer x = padded_image(draft, layout, image, windows, zero_of(image));
  const Axis n = axis("n", image->shape[0]);
  const Axes c = channel_axes("c", channels), at = output_axes(windows), taps = tap_axes(windows);
  Index channel = index_of(c);
  if (each > 1) channel[0] = ir::floor_div(channel[0], each);
  const Index source = layout.batch(n.var, channel, tap_positions(windows, at, taps));
  return draft.reduce("depthwise", layout.batch(n, c, at), {Reducer::Sum, taps},
                      read_to_sum(x, source) * read_to_sum(weight, index_of(layout.order(c, taps))),
                      std::move(hints));
}

ir::Buffer pool(Draft& draft, const Layout& layout, const Windows& windows, Reducer reducer,
                const ir::Buffer& image) {
  const ir::Buffer x = padded_image(draft, layout, image, windows, identity_of(reducer, image->type));
  const Axis n = axis("n", image->shape[0]);
  const Axes c = layout.channel_axes_of(*image, windows.size());
  const Axes at = output_axes(windows), taps = tap_axes(windows);
  const Index source = layout.batch(n.var, index_of(c), tap_positions(windows, at, taps));
  return draft.reduce("pool", layout.batch(n, c, at), {reducer, taps},
                      reducer == Reducer::Sum ? read_to_sum(x, source) : ir::load(x, source));
}

}  // namespace hone::task::ops
