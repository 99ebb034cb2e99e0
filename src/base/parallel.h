// A loop over several threads.
#pragma once
#include <cstddef>
#include <functional>

namespace hone {

// Calls body(i) for every i below `n` on `threads` threads, the caller's among them, in any order. The
// first exception is thrown again when all have ended.
void parallel_for(std::size_t n, int threads, const std::function<void(std::size_t)>& body);

}  // namespace hone
