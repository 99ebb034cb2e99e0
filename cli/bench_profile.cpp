#include "cli/bench_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace hone::cli {
namespace {

std::string shortened(const std::string& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

}  // namespace

std::string profile_text(const BenchResult& result, int /*threads*/) {
  std::vector<StepTime> steps = result.profile.steps;
  const double sum = std::accumulate(steps.begin(), steps.end(), 0.0,
                                     [](double s, const StepTime& t) { return s + t.seconds; });
  const double whole = result.samples.mean();
  std::ranges::stable_sort(steps, std::ranges::greater(), &StepTime::seconds);
  std::string text = fmt::format("{}\n{:>10} {:>6} {:>8}  {:<40} {}\n", result.artefact, "ms", "share",
                                 "GFLOP/s", "kernel", "nodes");
  for (const StepTime& step : steps) {
    const std::string rate =
        step.flop > 0 ? fmt::format("{:.1f}", step.flop / step.seconds * 1e-9) : "";
    text += fmt::format("{:>10.4f} {:>5.1f}% {:>8}  {:<40} {}\n", step.seconds * 1e3,
                        step.seconds / whole * 100, rate, shortened(step.kernel, 40),
                        shortened(step.label, 60));
  }
  return text + fmt::format(
                    "{:>10.4f} {:>5.1f}% {:>8}  all steps; the rest of {:.4f} ms lies between "
                    "them\n",
                    sum * 1e3, sum / whole * 100, "", whole * 1e3);
}

}  // namespace hone::cli
