// How fast this machine reads memory: what shares of the bandwidth are taken of.
#pragma once
#include "target/target.h"

namespace hone::measure {

// Of memory that no cache holds, in GB/s, by `threads` threads at once. Measured (a fraction of a
// second) each time it is asked for.
double measured_bandwidth_gbs(const target::Target& target, int threads);

}  // namespace hone::measure
