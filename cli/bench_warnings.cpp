#include "cli/bench_warnings.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::cli {
namespace {

constexpr double kFarOff = 10;          // robust standard deviations from the median
constexpr double kManyOutliers = 0.05;  // a few there always are: the machine does other things, too
constexpr double kSlowFirst = 1.5;      // times the median
constexpr double kBusy = 0.05;          // of all processors
constexpr double kTooShort_s = 20e-6;   // of which reading the clock is about a thousandth
constexpr double kLeastSpread = 0.005;  // of the median; else a very quiet machine has outliers

// Scaled so that it is the standard deviation of samples that are normally distributed.
double robust_deviation(const Samples& samples) {
  constexpr double kNormal = 1.4826;
  const double median = samples.median();
  Samples distances;
  for (const double s : samples.seconds) distances.seconds.push_back(std::abs(s - median));
  return kNormal * distances.median();
}

}  // namespace

std::vector<Warning> warnings_of(const BenchResult& result) {
  const Samples& samples = result.samples;
  const double median = samples.median();
  const double limit = median + kFarOff * std::max(robust_deviation(samples), kLeastSpread * median);
  std::vector<Warning> warnings;
  if (samples.seconds.size() > 2 && samples.seconds.front() > kSlowFirst * median) {
    warnings.push_back({fmt::format("the first run of {} took {:.1f} times the median", result.artefact,
                                    samples.seconds.front() / median),
                        "caches and clocks were cold: add --warmup 10"});
  }
  const auto outliers = std::ranges::count_if(samples.seconds, [&](double s) { return s > limit; });
  if (static_cast<double>(outliers) > kManyOutliers * static_cast<double>(samples.seconds.size())) {
    warnings.push_back({fmt::format("{} of {} runs of {} are outliers", outliers,
                                    samples.seconds.size(), result.artefact),
                        "run it again on a quiet machine, or add --min-time 10s"});
  }
  if (median < kTooShort_s) {
    warnings.push_back({fmt::format("a run of {} takes {:.1f} us, and the clock ticks in it, too",
                                    result.artefact, median * 1e6),
                        "compare medians of many runs only"});
  }
  return warnings;
}

std::vector<Warning> warnings_of_machine(double others, const std::string& governor) {
  std::vector<Warning> warnings;
  if (others > kBusy) {
    warnings.push_back(
        {fmt::format("other processes had {:.0f} % of the processors meanwhile", others * 100),
         "stop them, or trust only large differences"});
  }
  if (!governor.empty() && governor != "performance") {
    warnings.push_back(
        {fmt::format("CPU frequency scaling is on ({}); times may move by some percent", governor),
         "`cpupower frequency-set -g performance`, or add --min-time 10s"});
  }
  return warnings;
}

}  // namespace hone::cli
