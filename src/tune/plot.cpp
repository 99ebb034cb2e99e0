#include "tune/plot.h"

#include <fmt/format.h>

#include <cmath>

#include "tune/chart.h"

namespace hone::tune {
namespace {

template <class Place>
Panel panel_of(const Summary& summary, const char* x_label, const Place& place) {
  const auto gflops = [&](double seconds) { return summary.flop / seconds * 1e-9; };
  Curve best{.name = "best so far", .style = Curve::Style::Steps, .points = {}};
  Curve all{.name = "trials", .style = Curve::Style::Dots, .points = {}};
  Curve untuned{.name = "untuned", .style = Curve::Style::Dashed, .points = {}};
  double last = 0;
  for (std::size_t i = 0; i < summary.trials.size(); ++i) {
    const Trial& trial = summary.trials[i];
    last = place(i, trial);
    if (!trial.is_ok()) continue;
    const double speed = gflops(trial.best_s());
    all.points.push_back({last, speed});
    if (best.points.empty() || speed > best.points.back().y) best.points.push_back({last, speed});
  }
  if (!best.points.empty()) best.points.push_back({last, best.points.back().y});
  if (const double speed = gflops(summary.progress.baseline_s); std::isfinite(speed))
    untuned.points = {{0, speed}, {last, speed}};
  return {.x_label = x_label, .y_label = "GFLOP/s", .curves = {best, all, untuned}};
}

}  // namespace

std::string plot(const Summary& summary) {
  return to_svg(
      fmt::format("{}, {} trials", summary.task, summary.trials.size()),
      {panel_of(summary, "trials",
                [](std::size_t i, const Trial&) { return static_cast<double>(i + 1); }),
       panel_of(summary, "seconds", [](std::size_t, const Trial& trial) { return trial.at_s; })});
}

}  // namespace hone::tune
