// What a parallel region costs: its time less the time one thread's share takes alone.
//   bench_pool [--threads N] [--json FILE]
#include <fmt/format.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "runtime/pool.h"

namespace {

using hone::runtime::Pool;

double now_us() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) * 1e-3;
}

// One element is a chain of dependent additions: the same time on any thread, no memory.
void work(void* steps, std::int64_t begin, std::int64_t end, std::int64_t) {
  for (std::int64_t i = begin; i < end; ++i) {
    std::uint64_t value = 1;
    for (std::int64_t k = *static_cast<std::int64_t*>(steps); k > 0; --k) {
      value += static_cast<std::uint64_t>(k);
      asm volatile("" : "+r"(value));
    }
  }
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

// Awake on purpose: a sleeping caller would come back to a cold core.
void idle(double gap_us) {
  for (const double end = now_us() + gap_us; now_us() < end;) {
  }
}

struct Cost {
  double p50_us, p99_us;
};

Cost region_cost(Pool& pool, std::int64_t steps, double gap_us, int samples) {
  std::vector<double> alone, region;
  for (int i = 0; i < samples; ++i) {
    idle(gap_us);
    double start = now_us();
    work(&steps, 0, 1, 0);
    alone.push_back(now_us() - start);
    idle(gap_us);
    start = now_us();
    pool.run(&work, &steps, pool.threads());
    region.push_back(now_us() - start);
  }
  const double share = quantile(alone, 0.5);
  return {quantile(region, 0.5) - share, quantile(region, 0.99) - share};
}

// Additions that take `time_us` on this machine.
std::int64_t steps_for(double time_us) {
  std::int64_t steps = 1'000'000;
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double start = now_us();
    work(&steps, 0, 1, 0);
    best = std::min(best, now_us() - start);
  }
  return static_cast<std::int64_t>(static_cast<double>(steps) * time_us / best);
}

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

}  // namespace

int main(int argc, char** argv) {
  int threads = 2;
  const char* json_file = nullptr;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    if (option == "--threads") threads = std::atoi(argv[i + 1]);
    if (option == "--json") json_file = argv[i + 1];
  }
  const std::vector<int> cpus = allowed_cpus();
  if (threads < 1 || static_cast<std::size_t>(threads) > cpus.size()) {
    fmt::print(stderr, "bench_pool: {} threads, but there are {} processors\n", threads, cpus.size());
    return 2;
  }
  const sched_param priority{.sched_priority = 10};
  const bool real_time = sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
  Pool pool({.threads = threads, .cpus = std::span(cpus).first(static_cast<std::size_t>(threads))});

  fmt::print("{} threads, pinned, {}\n", threads,
             real_time ? "SCHED_FIFO" : "SCHED_FIFO not permitted");
  fmt::print("{:>10} {:>10} {:>10} {:>10}\n", "work us", "gap us", "p50 us", "p99 us");
  std::ofstream json;
  if (json_file != nullptr) json.open(json_file);
  for (const double work_us : {0.0, 20.0, 50.0}) {
    for (const double gap_us : {0.0, 200.0, 5000.0}) {
      const Cost cost = region_cost(pool, steps_for(work_us), gap_us, gap_us > 1000 ? 100 : 1000);
      fmt::print("{:>10} {:>10} {:>10.2f} {:>10.2f}\n", work_us, gap_us, cost.p50_us, cost.p99_us);
      if (json) {
        json << nlohmann::json{{"threads", threads},    {"work_us", work_us},
                               {"gap_us", gap_us},      {"real_time", real_time},
                               {"p50_us", cost.p50_us}, {"p99_us", cost.p99_us}}
             << '\n';
      }
    }
  }
}
