#include "cli/bench_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hone::cli {
namespace {

constexpr double kExplained = 0.05;  // of the latency: a difference that needs no words

std::string shortened(const std::string& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

// Nothing where there is nothing to tell.
std::string number(double value, const char* unit = "") {
  return value > 0 ? fmt::format("{:.1f}{}", value, unit) : "";
}

std::string step_line(const StepTime& step, const Profile& profile) {
  const double gflops = step.flop / step.seconds * 1e-9, gbs = step.bytes / step.seconds * 1e-9;
  return fmt::format("{:>10.4f} {:>6} {:>8} {:>6} {:>7} {:>7}  {:<40} {}\n", step.seconds * 1e3,
                     number(step.seconds / profile.whole_s * 100, "%"), number(gflops),
                     number(gflops / profile.peak_gflops * 100, "%"), number(gbs),
                     number(gbs / profile.bandwidth_gbs * 100, "%"), shortened(step.kernel, 40),
                     shortened(step.label, 60));
}

std::string sum_line(double seconds, double whole_s, const std::string& words) {
  return fmt::format("{:>10.4f} {:>5.1f}%  {}\n", seconds * 1e3, seconds / whole_s * 100, words);
}

// Tuned steps here and as they were measured alone, if that is not the same.
std::string alone_line(const Profile& profile) {
  double here = 0, alone = 0;
  for (const StepTime& step : profile.steps) {
    if (step.alone_s <= 0) continue;
    here += step.seconds;
    alone += step.alone_s;
  }
  if (std::abs(here - alone) <= kExplained * here) return "";
  return sum_line(here - alone, profile.whole_s,
                  fmt::format("in which tuned steps differ from the {:.4f} ms that tuning measured of "
                              "them",
                              alone * 1e3));
}

}  // namespace

std::string profile_text(const BenchResult& result) {
  Profile profile = result.profile;
  std::ranges::stable_sort(profile.steps, std::ranges::greater(), &StepTime::seconds);
  std::string text =
      fmt::format("{}: of {:.0f} GFLOP/s and of {:.1f} GB/s, beyond which caches helped\n",
                  result.artefact, profile.peak_gflops, profile.bandwidth_gbs);
  text += fmt::format("{:>10} {:>6} {:>8} {:>6} {:>7} {:>7}  {:<40} {}\n", "ms", "share", "GFLOP/s",
                      "peak", "GB/s", "memory", "kernel", "nodes");
  double sum = 0;
  for (const StepTime& step : profile.steps) {
    sum += step.seconds;
    text += step_line(step, profile);
  }
  text += sum_line(sum, profile.whole_s, "all steps");
  text += sum_line(profile.whole_s - sum, profile.whole_s, "between them, with reading the clock");
  const double latency = result.samples.mean();
  if (std::abs(latency - profile.whole_s) > kExplained * latency) {
    text += sum_line(profile.whole_s - latency, profile.whole_s,
                     fmt::format("away from the {:.4f} ms without a profile", latency * 1e3));
  }
  return text + alone_line(profile);
}

}  // namespace hone::cli
