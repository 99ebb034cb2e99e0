#include "base/core_distance.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>

#include "base/affinity.h"
#include "base/clock.h"

namespace hone {
namespace {

constexpr int kBatches = 50;
constexpr int kTripsInBatch = 200;  // few enough for most batches to pass without an interrupt
constexpr int kEnd = -1;

// Answers every odd number with the next one.
void answer(std::atomic<int>& line, int cpu) {
  keep_to({cpu});
  for (int seen = line.load(std::memory_order_acquire); seen != kEnd;
       seen = line.load(std::memory_order_acquire)) {
    if (seen % 2 == 1) line.store(seen + 1, std::memory_order_release);
  }
}

// The least time of a batch.
double ask(std::atomic<int>& line, int cpu) {
  keep_to({cpu});
  double least_s = std::numeric_limits<double>::infinity();
  int number = 0;
  for (int batch = 0; batch < kBatches; ++batch) {
    const double begin_s = now_s();
    for (int trip = 0; trip < kTripsInBatch; ++trip) {
      line.store(++number, std::memory_order_release);
      ++number;
      while (line.load(std::memory_order_acquire) != number) {
      }
    }
    least_s = std::min(least_s, now_s() - begin_s);
  }
  line.store(kEnd, std::memory_order_release);
  return least_s;
}

}  // namespace

double round_trip_ns(int cpu, int other_cpu) {
  alignas(128) std::atomic<int> line = 0;
  double least_s = 0;
  std::thread there([&] { answer(line, other_cpu); });
  std::thread here([&] { least_s = ask(line, cpu); });
  here.join();
  there.join();
  return least_s / kTripsInBatch * 1e9;
}

}  // namespace hone
