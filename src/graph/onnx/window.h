// Windows of convolutions and pools as ONNX describes them.
#pragma once
#include "graph/onnx/reading.h"

namespace hone::graph::onnx {

// Of the attributes strides, dilations, pads and auto_pad, for an input with these spatial extents. A
// pool whose attribute ceil_mode is set also has the windows that its end cuts off, unless they would
// lie outside altogether.
Window window_of(const Attributes& attributes, const Shape& spatial, std::vector<std::int64_t> kernel);

// The same for a transposed convolution, with the attributes output_padding and output_shape.
Window transposed_window_of(const Attributes& attributes, const Shape& spatial,
                            std::vector<std::int64_t> kernel);

// How many dimensions a window slides over: those behind the second. UserError when there are none.
Shape spatial_extents(const Reading& r, ValueId x);

std::int64_t reach(const Window& window, std::size_t d);  // elements from a window's first to its last
// Elements of an output over an input of this extent.
std::int64_t output_extent(const Window& window, std::size_t d, std::int64_t extent);

}  // namespace hone::graph::onnx
