// How long a kernel takes: few runs, as many as the answer needs, and the least of them counts.
#pragma once
#include <functional>
#include <vector>

#include "worker/protocol.h"

namespace hone::worker {

// What is timed, and by which clock.
struct Stopwatch {
  std::function<void(int calls)> run;       // calls the kernel so often
  std::function<double()> clock;            // seconds
  std::function<void()> before;             // untimed, before every sample; may be empty
  std::function<void(double spent)> after;  // untimed, after every sample; may be empty
};

struct Times {
  std::vector<double> seconds;  // of one call, one value a sample
  double noise = 0;             // median over minimum, less one
};

// `first_call_s` is how long the kernel's first call took: with it a hopeless candidate is timed once.
Times time_kernel(const Stopwatch& watch, const Timing& timing, double first_call_s);

}  // namespace hone::worker
