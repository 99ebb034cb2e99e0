#include "worker/timing.h"

#include <algorithm>
#include <cmath>

namespace hone::worker {
namespace {

// After a first call that took so many times the best, one run decides whether there will be others.
constexpr double kHopelessRatio = 1.5;
// Two best samples as near as this are the kernel's time, not the machine's mood: quiet machines differ
// by as much from call to call.
constexpr double kAgreement = 0.02;
// Only of a kernel that may be the best is so much asked.
constexpr double kContends = 1.05;
constexpr int kMaxCalls = 1'000'000;
// A run with cold constants is a sample of its own, and what comes before it takes longer than a short
// kernel: such a one would spend its budget on thousands.
constexpr int kMostColdRuns = 100;
// Caches and pages settle during the first calls: a depthwise layer of 110 us takes 284, 213, 167, 169,
// 125, 116, 112 us at first, and with 1 ms of warming one trial in ten was still off by half or more.
constexpr double kWarmUpS = 2e-3;
// What is larger takes longer: one of 270 us and 13 MB takes 850, 664, 464, 318, 329, 291, 276 us. So
// as long as one of the last samples brought this much, nothing is decided,
constexpr double kSettling = 0.03;
constexpr int kLastSamples = 2;
// but that takes no longer than this,
constexpr double kMostSettlingS = 20e-3;
// and whoever is so many times slower than the best will not catch up.
constexpr double kMostSettlingRatio = 4;
// Beyond this length of a call it no longer shows.
constexpr double kLongCallS = 5e-3;
// A call as long as this is its own warm-up. The first one decides about a candidate that took so many
// times the best, and one that does not contend is run no more often than it takes to know that: else
// most of the time of tuning a large operator goes to candidates that nobody will use.
constexpr double kSettledCallS = 50e-3;
constexpr double kSettledHopelessRatio = 2;

class Sampler {
 public:
  Sampler(const Stopwatch& watch, const Timing& timing, double first_call_s)
      : watch_(watch), timing_(timing), least_s_(first_call_s) {
    if (!timing.cold_constants) calls_ = calls_for(first_call_s);
  }

  void take() {
    for (;;) {
      if (watch_.before) watch_.before();
      const double start = watch_.clock();
      watch_.run(calls_);
      const double spent = watch_.clock() - start;
      if (watch_.after) watch_.after(spent);
      // The first call overstates a short kernel: a sample much too short is thrown away.
      const int wanted = timing_.cold_constants ? 1 : calls_for(spent / calls_);
      if (spent < timing_.min_sample_s / 2 && wanted > calls_) {
        calls_ = wanted;
        continue;
      }
      spent_ += spent;
      seconds_.push_back(spent / calls_);
      ++n_without_gain_;
      if (seconds_.back() < (1 - kSettling) * least_s_) n_without_gain_ = 0;
      least_s_ = std::min(least_s_, seconds_.back());
      return;
    }
  }

  double best() const { return *std::min_element(seconds_.begin(), seconds_.end()); }
  int count() const { return static_cast<int>(seconds_.size()); }
  bool is_warm() const { return timing_.cold_constants || spent_ >= kWarmUpS; }

  // Whether the next sample may well be clearly faster than all before.
  bool is_settling() const {
    if (timing_.cold_constants || spent_ >= kMostSettlingS || best() > kLongCallS) return false;
    if (timing_.best_s > 0 && best() > kMostSettlingRatio * timing_.best_s) return false;
    return n_without_gain_ < kLastSamples;
  }

  bool needs_more() const {
    if (timing_.cold_constants && count() >= kMostColdRuns) return false;
    if (is_settling()) return true;
    const bool is_known = !contends() && best() > kSettledCallS;
    if ((count() < timing_.min_runs && !is_known) || spent_ < timing_.budget_s) return true;
    return count() < timing_.max_runs && contends() && !agrees();
  }

  Times result() && {
    std::vector<double> sorted = seconds_;
    std::sort(sorted.begin(), sorted.end());
    return {std::move(seconds_), sorted[sorted.size() / 2] / sorted.front() - 1};
  }

 private:
  int calls_for(double call_s) const {
    return static_cast<int>(std::clamp(std::ceil(timing_.min_sample_s / std::max(call_s, 1e-12)), 1.0,
                                       static_cast<double>(kMaxCalls)));
  }
  bool contends() const { return timing_.best_s <= 0 || best() < kContends * timing_.best_s; }
  bool agrees() const {
    std::vector<double> sorted = seconds_;
    std::sort(sorted.begin(), sorted.end());
    return sorted.size() > 1 && sorted[1] <= sorted[0] * (1 + kAgreement);
  }

  const Stopwatch& watch_;
  const Timing& timing_;
  int calls_ = 1;
  double spent_ = 0;
  double least_s_;          // so far, the first call included
  int n_without_gain_ = 0;  // samples since one was clearly faster than all before
  std::vector<double> seconds_;
};

}  // namespace

Times time_kernel(const Stopwatch& watch, const Timing& timing, double first_call_s) {
  const bool has_best = timing.best_s > 0;
  const auto is_beyond = [&](double length_s, double ratio) {
    return has_best && first_call_s > std::max(length_s, ratio * timing.best_s);
  };
  if (is_beyond(kLongCallS, timing.hopeless_ratio) || is_beyond(kSettledCallS, kSettledHopelessRatio))
    return {{first_call_s}, 0};
  Sampler sampler(watch, timing, first_call_s);
  const bool hopeless = is_beyond(0, kHopelessRatio);
  const int first_runs = hopeless ? 1 : std::max(timing.first_runs, 1);
  while (sampler.count() < first_runs || !sampler.is_warm() || sampler.is_settling()) sampler.take();
  const bool loses = has_best && sampler.best() > timing.give_up_ratio * timing.best_s;
  while (!loses && sampler.needs_more()) sampler.take();
  return std::move(sampler).result();
}

}  // namespace hone::worker
