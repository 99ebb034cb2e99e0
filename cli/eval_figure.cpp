#include "cli/eval_figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/random.h"
#include "tune/chart.h"

namespace hone::cli {
namespace {

tune::Panel panel(const EvalReport& report, score::Family family, const char* label) {
  tune::Panel panel{.x_label = "k", .y_label = label, .curves = {}};
  for (const score::Standing& standing : report.parts.front().standings) {
    tune::Curve curve{.name = standing.name, .style = tune::Curve::Style::Line, .points = {}};
    for (std::size_t i = 0; i < report.metrics.size(); ++i) {
      if (report.metrics[i].family == family)
        curve.points.push_back({static_cast<double>(report.metrics[i].k), standing.estimates[i].value});
    }
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

tune::Panel partial_panel(const EvalReport& report, std::size_t metric, const char* label) {
  tune::Panel panel{.x_label = "share of the steps that is known", .y_label = label, .curves = {}};
  for (const PartialReport& partial : report.partial) {
    panel.curves.resize(partial.standings.size());
    for (std::size_t i = 0; i < partial.standings.size(); ++i) {
      panel.curves[i].name = partial.standings[i].name;
      panel.curves[i].style = tune::Curve::Style::Line;
      panel.curves[i].points.push_back(
          {partial.completion, partial.standings[i].estimates[metric].value});
    }
  }
  return panel;
}

std::size_t place_of(const EvalReport& report, score::Family family) {
  return static_cast<std::size_t>(std::ranges::find(report.metrics, family, &score::Metric::family) -
                                  report.metrics.begin());
}

// How many of a task's programs score lower; equal ones count half.
double share_below(const std::vector<double>& sorted, double score) {
  const auto [low, high] = std::ranges::equal_range(sorted, score);
  const double place = static_cast<double>((low - sorted.begin()) + (high - sorted.begin()) - 1) / 2;
  return sorted.size() > 1 ? place / static_cast<double>(sorted.size() - 1) : 1;
}

}  // namespace

std::string curves_svg(const EvalReport& report) {
  std::vector<tune::Panel> panels = {panel(report, score::Family::Pooled, "pooled top-k"),
                                     panel(report, score::Family::Tasks, "top-k, mean of tasks")};
  if (!report.partial.empty()) {
    panels.push_back(
        partial_panel(report, place_of(report, score::Family::Pairwise), "pairs in order"));
    panels.push_back(partial_panel(report, place_of(report, score::Family::Recall), "recall"));
  }
  return tune::to_svg(fmt::format("{}, {}", report.set, report.judged_on), panels);
}

Cloud cloud_of(const std::string& name, const score::JudgedSet& judged,
               const std::vector<double>& all_scores) {
  constexpr std::int64_t kMostDots = 2000;
  std::int64_t n_programs = 0;
  for (const score::JudgedTask& task : judged.tasks) n_programs += std::ssize(task.programs);
  Cloud cloud{name, {}};
  for (const score::JudgedTask& task : judged.tasks) {
    const std::vector<double> scores = task.own(all_scores);
    std::vector<double> sorted = scores;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      Random random(1, task.programs[i]);  // the same programs of every scorer
      if (random.below(n_programs) < kMostDots)
        cloud.dots.push_back({task.best_s / task.times[i], share_below(sorted, scores[i])});
    }
  }
  return cloud;
}

std::string scatter_svg(const std::string& title, const std::vector<Cloud>& clouds) {
  std::vector<tune::Panel> panels;
  for (const Cloud& cloud : clouds) {
    tune::Curve dots{.name = "", .style = tune::Curve::Style::Dots, .points = {}};
    for (const Cloud::Dot& dot : cloud.dots) dots.points.push_back({dot.measured, dot.predicted});
    std::ranges::sort(dots.points, {}, &tune::Point2::x);
    panels.push_back(
        {.x_label = "measured speed, best of the task = 1",
         .y_label = fmt::format("{}: rank of the score, highest of the task = 1", cloud.name),
         .curves = {std::move(dots)}});
  }
  return tune::to_svg(title, panels);
}

}  // namespace hone::cli
