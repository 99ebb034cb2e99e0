#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace hone {

void parallel_for(std::size_t n, int threads, const std::function<void(std::size_t)>& body) {
  // So many at a time that threads seldom meet at the counter, but so few that each has its share.
  const auto sharers = static_cast<std::size_t>(std::max(threads, 1));
  const std::size_t piece = std::clamp<std::size_t>(n / (sharers * 4), 1, 8);
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::size_t begin = next.fetch_add(piece); begin < n; begin = next.fetch_add(piece)) {
        for (std::size_t i = begin; i < std::min(begin + piece, n); ++i) body(i);
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (failure == nullptr) failure = std::current_exception();
      next = n;
    }
  };
  std::vector<std::jthread> others;
  const std::size_t useful = std::min(sharers, (n + piece - 1) / piece);
  for (std::size_t i = 1; i < useful; ++i) others.emplace_back(work);
  work();
  others.clear();
  if (failure != nullptr) std::rethrow_exception(failure);
}

}  // namespace hone
