#include "cli/tune_text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "cli/terminal.h"

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

std::string print_drift(double drift) {
  return fmt::format("drift     untuned again at the end: {:+.1f} %{}\n", 100 * drift,
                     std::abs(drift) < 0.03 ? ", the machine held still"
                                            : "; `hone doctor` says what may be the cause");
}

std::string print_note(const std::string& text) {
  return fmt::format("{} {}\n", paint("note:", Colour::Yellow, stderr), text);
}

void say_unused(const std::string& torn_line, int stale, const std::vector<std::string>& unread) {
  const auto say = [](const std::string& text) { fmt::print(stderr, "{}", print_note(text)); };
  if (!torn_line.empty()) say("the last line of the log was cut short; it is dropped");
  if (stale > 0) say(print_trials(stale) + " of another compiler do not count");
  for (const std::string& line : unread) say("left out " + line);
}

}  // namespace hone::cli
