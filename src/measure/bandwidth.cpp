#include "measure/bandwidth.h"

#include <algorithm>
#include <array>
#include <barrier>
#include <numeric>
#include <thread>
#include <vector>

#include "base/clock.h"

namespace hone::measure {
namespace {

constexpr int kPasses = 8;  // the best one counts: a shared machine disturbs most of them

// Far more than all caches together.
std::size_t words_a_thread(const target::Target& target, int threads) {
  std::int64_t cached = 0;
  for (const target::Cache& cache : target.caches) cached = std::max(cached, cache.size_bytes);
  const std::int64_t bytes = std::max<std::int64_t>(4 * cached, 64 << 20) / threads;
  return static_cast<std::size_t>(bytes) / sizeof(std::uint64_t);
}

// In as many chains as it takes for memory to be what is waited for.
std::uint64_t sum(const std::vector<std::uint64_t>& words) {
  std::array<std::uint64_t, 16> sums{};
  for (std::size_t i = 0; i + sums.size() <= words.size(); i += sums.size()) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += words[i + k];
  }
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

}  // namespace

double measured_bandwidth_gbs(const target::Target& target, int threads) {
  const std::size_t size = words_a_thread(target, threads);
  std::vector<double> best_s(static_cast<std::size_t>(threads), 1e9);
  std::barrier start(threads);
  const auto run = [&](int thread) {
    const std::vector<std::uint64_t> words(size, 1);  // written by its reader, so it lies near
    for (int pass = 0; pass < kPasses; ++pass) {
      start.arrive_and_wait();
      const double begin = now_s();
      volatile std::uint64_t kept = sum(words);
      static_cast<void>(kept);
      double& best = best_s[static_cast<std::size_t>(thread)];
      best = std::min(best, now_s() - begin);
    }
  };
  std::vector<std::jthread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(run, i);
  run(0);
  others.clear();
  double rate = 0;
  for (const double seconds : best_s)
    rate += static_cast<double>(size * sizeof(std::uint64_t)) / seconds * 1e-9;
  return rate;
}

}  // namespace hone::measure
