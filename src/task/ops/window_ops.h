// Sums and maxima over windows of tensors that are there already: what the catalogue's convolutions and
// pools and those of networks are both written with, so that their tasks are the same.
#pragma once
#include "task/ops/image.h"

namespace hone::task::ops {

// The channels of one group, as the layout stores them, and the number of groups.
struct Channels {
  Shape in, out;
  std::int64_t groups = 1;
};

Shape weight_shape(const Layout& layout, const Windows& windows, const Channels& channels);
ir::Buffer convolve(Draft& draft, const Layout& layout, const Windows& windows,
                    const Channels& channels, const ir::Buffer& image, const ir::Buffer& weight,
                    Hints hints);

// Every channel by itself; each gives as many results as there are output channels to one of the image.
Shape depthwise_weight_shape(const Layout& layout, const Windows& windows, const Shape& channels);
ir::Buffer convolve_depthwise(Draft& draft, const Layout& layout, const Windows& windows,
                              const Shape& channels, const ir::Buffer& image, const ir::Buffer& weight,
                              Hints hints);

// Transposed: the input spread out by the strides, then a plain convolution.
Shape transposed_weight_shape(const Layout& layout, const Windows& windows, const Channels& channels);
ir::Buffer convolve_transposed(Draft& draft, const Layout& layout, const Windows& windows,
                               const Channels& channels, const ir::Buffer& image,
                               const ir::Buffer& weight, Hints hints);
// Extent of the output along a window: what the last input element's taps reach, less the padding.
std::int64_t transposed_extent(const Window& window);

// The sum or the largest element of each window; what lies outside takes no part.
ir::Buffer pool(Draft& draft, const Layout& layout, const Windows& windows, Reducer reducer,
                const ir::Buffer& image);

}  // namespace hone::task::ops
