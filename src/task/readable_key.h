// Tasks that records name by a function and its arguments where others have a digest and shapes.
#pragma once
#include <optional>
#include <string_view>

#include "task/task.h"

namespace hone::task {

// The task of ["conv2d_layer", 128, 64, 56, 56, 64, 3, 3, 1, "SAME"] and its like: f32 images in NCHW,
// written stage by stage as TVM's operator library writes them, so that recorded steps fit.
//   conv2d_layer N, CI, H, W, CO, KH, KW, stride, padding
//   depthwise_conv2d_layer N, C, H, W, KH, KW, stride, padding
//   pool_layer "avg" | "max", N, C, H, W, KH, KW, stride, padding
//   matmul_layer M, K, N        matmul, ansor_mm M, K, N, "float32"
//   relu_layer sizes...
//   reduction_layer [sizes], axis | [axes], keepdims
// Padding is "SAME", "VALID" or 0, which is "VALID". Empty for functions and arguments of other kinds;
// throws UserError when sizes make no sense.
std::optional<Task> from_readable_key(std::string_view key);

}  // namespace hone::task
