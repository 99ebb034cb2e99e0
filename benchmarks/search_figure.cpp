#include "benchmarks/search_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tune/chart.h"

namespace hone::bench {
namespace {

struct Searches {
  double best_known_us;
  const RunResult* run;
};

// The geometric mean of all shares, where it changes.
tune::Curve mean_curve(const std::string& name, const std::vector<Searches>& searches, int trials) {
  tune::Curve curve{.name = name, .style = tune::Curve::Style::Steps, .points = {}};
  for (int n = 1; n <= trials; ++n) {
    std::vector<double> shares;
    for (const Searches& one : searches) shares.push_back(one.best_known_us / one.run->curve.after(n));
    const double share = geomean(shares);
    if (curve.points.empty() || share != curve.points.back().y || n == trials)
      curve.points.push_back({static_cast<double>(n), share});
  }
  return curve;
}

int common_trials(const std::vector<Searches>& searches) {
  int least = searches.front().run->trials;
  for (const Searches& one : searches) least = std::min(least, one.run->trials);
  return least;
}

tune::Curve curve_of(const std::string& name, const std::vector<Searches>& searches) {
  return mean_curve(name, searches, common_trials(searches));
}

}  // namespace

std::string search_figure(const std::vector<CaseResult>& cases) {
  std::set<std::string> names;
  for (const CaseResult& one : cases)
    for (const Variant& variant : one.variants) names.insert(variant.name);
  std::vector<tune::Panel> panels;
  for (const std::string& name : names) {
    std::vector<Searches> guided, random;
    for (const CaseResult& one : cases) {
      for (const Variant& variant : one.variants) {
        if (variant.name != name || !variant.random) continue;
        for (const RunResult& run : variant.runs) guided.push_back({variant.best_known_us, &run});
        random.push_back({variant.best_known_us, &*variant.random});
      }
    }
    if (guided.empty()) continue;
    panels.push_back({.x_label = fmt::format("trials, space {}", name),
                      .y_label = "share of the best known",
                      .curves = {curve_of("default", guided), curve_of("random", random)}});
  }
  return tune::to_svg("Search: best so far, geometric mean", panels);
}

std::string ablation_figure(const std::vector<CaseResult>& cases) {
  std::vector<tune::Panel> panels;
  for (const CaseResult& one : cases) {
    tune::Panel panel{.x_label = fmt::format("trials, {}", one.name),
                      .y_label = "share of the best known",
                      .curves = {}};
    for (const Variant& variant : one.variants) {
      std::vector<Searches> searches;
      for (const RunResult& run : variant.runs) searches.push_back({variant.best_known_us, &run});
      panel.curves.push_back(curve_of(variant.name, searches));
    }
    panels.push_back(std::move(panel));
  }
  return tune::to_svg("Ablation: best so far with parts of the search left out", panels);
}

}  // namespace hone::bench
