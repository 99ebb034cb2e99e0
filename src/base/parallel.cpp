#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace hone {

void parallel_for(std::size_t n, int threads, const std::function<void(std::size_t)>& body) {
  constexpr std::size_t kPiece = 8;  // so that threads seldom meet at the counter
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::size_t begin = next.fetch_add(kPiece); begin < n; begin = next.fetch_add(kPiece)) {
        for (std::size_t i = begin; i < std::min(begin + kPiece, n); ++i) body(i);
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (failure == nullptr) failure = std::current_exception();
      next = n;
    }
  };
  std::vector<std::jthread> others;
  const std::size_t useful = std::min<std::size_t>(std::max(threads, 1), (n + kPiece - 1) / kPiece);
  for (std::size_t i = 1; i < useful; ++i) others.emplace_back(work);
  work();
  others.clear();
  if (failure != nullptr) std::rethrow_exception(failure);
}

}  // namespace hone
