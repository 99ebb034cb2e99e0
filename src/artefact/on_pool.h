// Work of our own on the threads that run artefacts.
#pragma once
#include <cstddef>
#include <functional>

namespace hone::artefact {

// Calls work(i) for every i below `n` on up to `threads` threads of the pool, in any order. A session
// that it runs has no other thread than the one it is called from: whoever has many small things to run
// is quicker when they go side by side and do not wait for each other. The first exception is thrown
// again when all have ended.
void on_pool(std::size_t n, int threads, const std::function<void(std::size_t)>& work);

}  // namespace hone::artefact
