#include "benchmarks/best_so_far.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace hone::bench {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kAtMarks = 4;  // the fastest at each mark
constexpr double kSlow = 1.3;        // times the best: not worth measuring again
constexpr double kBudgetS = 0.15;    // of re-measurement, a candidate

using Run = std::vector<tune::Trial>;

// Numbers of the trials whose time decides the curve.
std::set<int> decisive(const Run& run) {
  std::set<int> chosen;
  std::vector<int> fastest;  // so far, fastest first
  const auto time_of = [&](int i) { return run[static_cast<std::size_t>(i)].best_s(); };
  for (int i = 0; i < std::ssize(run); ++i) {
    if (run[static_cast<std::size_t>(i)].is_ok()) {
      fastest.insert(std::ranges::upper_bound(fastest, time_of(i), {}, time_of), i);
      fastest.resize(std::min(fastest.size(), kAtMarks));
      if (fastest.front() == i) chosen.insert(i);
    }
    if (std::ranges::find(kMarks, i + 1) != std::end(kMarks) || i + 1 == std::ssize(run))
      chosen.insert(fastest.begin(), fastest.end());
  }
  return chosen;
}

// Seconds by candidate, for all that may matter.
std::map<std::string, double> times_again(const std::vector<Run>& runs, tune::Meter& meter) {
  double best_s = kNever;
  for (const Run& run : runs)
    for (const tune::Trial& trial : run) best_s = std::min(best_s, trial.best_s());
  std::map<std::string, schedule::Steps> contenders;
  for (const Run& run : runs) {
    for (const int i : decisive(run)) {
      const tune::Trial& trial = run[static_cast<std::size_t>(i)];
      if (trial.best_s() <= kSlow * best_s)
        contenders.emplace(trial.candidate.key, trial.candidate.steps);
    }
  }
  std::vector<schedule::Steps> steps;
  for (const auto& [key, candidate] : contenders) steps.push_back(candidate);
  const std::vector<tune::Comparison> again =
      meter.compare(steps, kBudgetS * static_cast<double>(steps.size()));
  std::map<std::string, double> times;
  std::size_t next = 0;
  for (const auto& [key, candidate] : contenders) times[key] = again[next++].warm.best_s();
  return times;
}

}  // namespace

double BestSoFar::after(int trials) const {
  double best = kNever;
  for (const Point& point : improvements)
    if (point.trials <= trials) best = point.best_us;
  return best;
}

double BestSoFar::best_us() const {
  return improvements.empty() ? kNever : improvements.back().best_us;
}

int BestSoFar::trials_to(double us) const {
  const auto found =
      std::ranges::find_if(improvements, [&](const Point& p) { return p.best_us <= us; });
  return found == improvements.end() ? 0 : found->trials;
}

std::vector<BestSoFar> best_so_far(const std::vector<Run>& runs, tune::Meter& meter) {
  const std::map<std::string, double> times = times_again(runs, meter);
  std::vector<BestSoFar> curves;
  for (const Run& run : runs) {
    BestSoFar& curve = curves.emplace_back();
    for (const int i : decisive(run)) {
      const tune::Trial& trial = run[static_cast<std::size_t>(i)];
      const auto again = times.find(trial.candidate.key);
      const double us = (again != times.end() ? again->second : trial.best_s()) * 1e6;
      if (us < curve.best_us()) curve.improvements.push_back({i + 1, us});
    }
  }
  return curves;
}

}  // namespace hone::bench
