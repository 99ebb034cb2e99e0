// The fastest arithmetic this machine does: what shares of the peak are taken of.
#pragma once
#include "target/target.h"

namespace hone::codegen {

// Multiply-adds of float32 vectors in registers, in GFLOP/s, on `threads` threads at once. Measured (a
// few milliseconds) the first time a process asks for a number of threads, then remembered. `target`
// must be one that this machine runs.
double measured_peak_gflops(const target::Target& target, int threads);

}  // namespace hone::codegen
