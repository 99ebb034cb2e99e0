// Transposed convolution by sub-pixels: the outputs of one stride are channels of a plain convolution.
#pragma once
#include "task/ops/window_ops.h"

namespace hone::task::ops {

// The plain window of stride 1 whose output i holds, as further channels, the elements stride * i + p
// of the transposed one, p being each phase below the stride. It covers what any phase reads, and as
// many blocks of a stride as the output begins. Element p + before - stride * d of the transposed
// kernel is the one that multiplies the input at i + d.
Window over_blocks(const Window& transposed);

// `weight` is that of the plain convolution: its output channels are first the phases, the last
// dimension's fastest, then the channels of the result. There is one group.
ir::Buffer convolve_sub_pixels(Draft& draft, const Layout& layout, const Windows& transposed,
                               const Channels& channels, const ir::Buffer& image,
                               const ir::Buffer& weight, Hints hints);

std::int64_t phases(const Windows& transposed);  // outputs of one stride in all dimensions

}  // namespace hone::task::ops
