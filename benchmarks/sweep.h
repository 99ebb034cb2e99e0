// The best of a few random candidates of the generic structure: how bench_kernels finds its schedules.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/runnable.h"
#include "benchmarks/suites.h"
#include "schedule/step.h"
#include "target/target.h"

namespace hone::bench {

struct SweepOptions {
  int trials = 64;  // candidates a layer, over all its layouts
  int threads = 1;
  std::uint64_t seed = 1;
  int finalists = 6;        // measured again, interleaved
  std::string scorer = {};  // file of one that guides the tuner
};

struct SweepResult {
  std::string op;
  schedule::Steps steps;
  codegen::Kernel kernel;
  double seconds = 0;
  double error = 0;              // against the plain nest, relative to the largest output
  std::vector<double> build_ms;  // one a candidate that compiled
  int failed = 0;
};

SweepResult sweep(const Layer& layer, const target::Target& target, runtime::Pool& pool,
                  const SweepOptions& options);

// A candidate that may win.
struct Finalist {
  std::size_t op;  // of the layer
  schedule::Steps steps;
  codegen::Kernel kernel;
};
// The fastest of them, measured again, and how far its answer is off; `failed` and `build_ms` are the
// caller's.
SweepResult best_of(const std::vector<Finalist>& finalists, const Layer& layer,
                    const target::Target& target, runtime::Pool& pool);

// Seconds a call, the 10th percentile of `rounds` samples of at least `sample_s` each.
double time_call(const std::function<void()>& call, int rounds, double sample_s);
// One sample: seconds a call over as many calls as fill `sample_s`.
double sample(const std::function<void()>& call, double sample_s, int& calls);
double percentile(std::vector<double> values, double share);

}  // namespace hone::bench
