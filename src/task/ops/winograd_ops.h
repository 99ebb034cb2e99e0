// Winograd convolution of images and volumes that are there already, in any layout.
#pragma once
#include "task/ops/image.h"

namespace hone::task::ops {

// The last two windows have three taps and stride 1; those in front of them may be any.
struct Winograd {
  Layout layout;
  Windows windows;
  Shape in, out;             // channels, as the layout stores them
  std::int64_t tile;         // outputs a tile and side: 2 or 4
  bool is_separable = true;  // tiles are transformed side by side, not both sides at once
};

inline constexpr int kWinogradTaps = 3;

// Of the transformed weight: rows and columns of a tile, taps of the windows in front, output channels,
// input channels, the latter two as layouts store them.
Shape winograd_weight_shape(const Winograd& conv);
ir::Buffer convolve_winograd(Draft& draft, const Winograd& conv, const ir::Buffer& image,
                             const ir::Buffer& weight, Hints hints);

}  // namespace hone::task::ops
