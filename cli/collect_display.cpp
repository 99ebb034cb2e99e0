#include "cli/collect_display.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/duration.h"
#include "base/json_object.h"

namespace hone::cli {
namespace {

constexpr double kLineEveryS = 30, kEventEveryS = 1;

std::string in_words(const tune::CollectProgress& progress) {
  const double left_s = progress.left_s();
  return fmt::format(
      "{}  task {} of {}  {} of {} programs, {} failed  {:.1f}/s{}", print_clock(progress.session_s),
      std::min(progress.tasks_done + 1, progress.n_tasks), progress.n_tasks, progress.programs,
      progress.wanted, progress.failed,
      static_cast<double>(progress.programs - progress.resumed) / std::max(progress.session_s, 1e-3),
      std::isfinite(left_s) ? "  " + print_clock(left_s) + " left" : "");
}

std::string as_event(const tune::CollectProgress& progress) {
  return JsonObject()
      .add("event", "progress")
      .add("seconds", progress.session_s)
      .add("programs", progress.programs)
      .add("wanted", progress.wanted)
      .add("failed", progress.failed)
      .add("task", progress.task)
      .text();
}

}  // namespace

void CollectDisplay::operator()(const tune::CollectProgress& progress) {
  const bool is_over = progress.state != record::RunState::Running;
  const auto is_due = [&](double every_s) {
    if (progress.session_s - said_s_ < every_s) return false;
    said_s_ = progress.session_s;
    return true;
  };
  if (show_ == Show::Screen) {
    if (is_over) return live_.clear();
    if (live_.is_due()) live_.show({in_words(progress), "now       " + progress.task});
  } else if (show_ == Show::Lines && is_due(kLineEveryS)) {
    fmt::print(stderr, "{}\n", in_words(progress));
  } else if (show_ == Show::Json && is_due(kEventEveryS)) {
    fmt::print("{}\n", as_event(progress));
    std::fflush(stdout);
  }
}

}  // namespace hone::cli
