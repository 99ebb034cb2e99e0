// Transposed convolution by sub-pixels: the outputs of one stride are channels of a plain convolution.
#pragma once
#include "task/ops/window_ops.h"

namespace hone::task::ops {

// The plain windows of stride 1 whose output i holds, as further channels, the elements stride * i + p
// of the transposed convolution, p being each phase below the stride. They cover what any phase reads,
// and as many blocks of a stride as the output begins. Element p + before - stride * d of the
// transposed kernel is the one that multiplies the input at i + d.
Windows over_blocks(const Windows& transposed);

std::int64_t phases(const Windows& transposed);  // of all dimensions together

// `weight` is that of the plain convolution: its output channels are first the phases, the last
// dimension's fastest, then the channels of the result. There is one group.
ir::Buffer convolve_sub_pixels(Draft& draft, const Layout& layout, const Windows& transposed,
                               const Channels& channels, const ir::Buffer& image,
                               const ir::Buffer& weight, Hints hints);

}  // namespace hone::task::ops
