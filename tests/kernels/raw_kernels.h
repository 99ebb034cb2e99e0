// Kernels written by hand for tests of measuring, good ones and one for every way to fail.
#pragma once
#include <cstdint>
#include <string_view>

#include "codegen/kernel.h"

namespace hone::test {

// All take A (input), W (constant) and C (output), float vectors of this length, and ought to compute
// C = A + W. Its size in bytes is no multiple of 64.
inline constexpr std::int64_t kElements = 1000;

// add, add_parallel, add_packed (W in two rows of 500, read interleaved), add_slowly (about 2 ms),
// use_scratch, crash, crash_on_thread_1, hang, write_behind, write_far_behind, write_before,
// write_input, subtract, forget_last.
codegen::Kernel raw_kernel(std::string_view name);

}  // namespace hone::test
