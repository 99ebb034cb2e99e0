#include <algorithm>
#include <cmath>

#include "space/annotate/balanced.h"
#include "space/annotate/choices.h"

namespace hone::space {
namespace {

double distance(std::span<const std::int64_t> a, const Lengths& b) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i)
    sum += std::abs(std::log2(static_cast<double>(a[i]) / static_cast<double>(b[i])));
  return sum;
}

}  // namespace

// Where tiles must divide, the nearest that do.
void fit_lengths(const SketchView& sketch, Decisions& decisions) {
  for (const SplitSite& site : sketch.outline.splits) {
    if (site.first == 0 || site.factorings == nullptr) continue;
    if (sketch.any_size) {
      fit_balanced(site, decisions);
      continue;
    }
    const std::span<const std::int64_t> wanted = lengths_of(site, decisions);
    const auto nearest = std::ranges::min_element(
        *site.factorings, {}, [&](const Lengths& lengths) { return distance(wanted, lengths); });
    std::ranges::copy(*nearest, decisions.begin() + site.first);
  }
}

}  // namespace hone::space
