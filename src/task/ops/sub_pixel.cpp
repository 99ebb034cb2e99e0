#include "task/ops/sub_pixel.h"

#include "ir/arithmetic.h"

namespace hone::task::ops {

Windows over_blocks(const Windows& transposed) {
  Windows all = transposed;
  for (Window& plain : all) {
    const std::int64_t stride = plain.stride;
    const std::int64_t blocks = (transposed_extent(plain) + stride - 1) / stride;
    const std::int64_t first = -ir::floor_div(plain.kernel - 1 - plain.before, stride);
    const std::int64_t last = ir::floor_div(stride - 1 + plain.before, stride);
    plain.kernel = last - first + 1;
    plain.stride = 1;
    plain.before = -first;
    plain.after = blocks + plain.kernel - 1 - plain.before - plain.input;
  }
  return all;
}

std::int64_t phases(const Windows& transposed) {
  std::int64_t product = 1;
  for (const Window& window : transposed) product *= window.stride;
  return product;
}

ir::Buffer convolve_sub_pixels(Draft& draft, const Layout& layout, const Windows& transposed,
                               const Channels& channels, const ir::Buffer& image,
                               const ir::Buffer& weight, Hints hints) {
  const std::int64_t out = channels.out.front();
  const ir::Buffer blocks =
      convolve(draft, layout, over_blocks(transposed), {channels.in, {phases(transposed) * out}}, image,
               weight, std::move(hints));

  const Axis n = axis("n", image->shape[0]), c = axis("c", out);
  Axes at;
  Index block;
  for (const Window& window : transposed) {
    at.push_back(axis(window.axis, transposed_extent(window)));
    block.push_back(window.stride > 1 ? ir::floor_div(at.back().var, window.stride) : at.back().var);
  }
  ir::Expr channel = c.var;
  std::int64_t step = out;  // from one phase of a dimension to the next
  for (std::size_t d = transposed.size(); d-- > 0;) {
    const std::int64_t stride = transposed[d].stride;
    if (stride > 1) channel = times(ir::floor_mod(at[d].var, stride), step) + channel;
    step *= stride;
  }
  const Index source = layout.batch(n.var, Index{channel}, block);
  return draft.compute("sub_pixel", layout.batch(n, Axes{c}, at), ir::load(blocks, source));
}

}  // namespace hone::task::ops
