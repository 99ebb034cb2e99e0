#include "cli/tune_text.h"

#include <fmt/format.h>

#include <cmath>

namespace hone::cli {

std::string print_failures(const tune::Progress& progress) {
  std::string kinds;
  for (std::size_t i = 0; i < tune::kStatuses; ++i) {
    if (progress.failures[i].count == 0) continue;
    kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", progress.failures[i].count,
                         worker::to_string(static_cast<measure::Status>(i)));
  }
  return kinds.empty() ? "0" : fmt::format("{} ({})", progress.failed(), kinds);
}

std::string print_split(const tune::TimeSplit& split) {
  const double total = split.total_s();
  if (total == 0) return "";
  const auto share = [&](double part_s) { return std::lround(100 * part_s / total); };
  return fmt::format("run {} %  build {} %  search {} %  score {} %", share(split.run_s),
                     share(split.build_s), share(split.search_s), share(split.score_s));
}

std::string print_speedup(double baseline_s, double best_s) {
  return std::isfinite(baseline_s) && std::isfinite(best_s)
             ? fmt::format("{:.2f}x", baseline_s / best_s)
             : "";
}

std::string print_trials(int count) { return fmt::format("{} trial{}", count, count == 1 ? "" : "s"); }

}  // namespace hone::cli
