#include "cli/samples.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hone::cli {

double Samples::mean() const {
  return std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
}

double Samples::deviation() const {
  if (seconds.size() < 2) return 0;
  const double mean_s = mean();  // once: small networks have millions of samples
  double sum = 0;
  for (const double s : seconds) sum += (s - mean_s) * (s - mean_s);
  return std::sqrt(sum / static_cast<double>(seconds.size() - 1));
}

double Samples::percentile(double share) const {
  std::vector<double> sorted = seconds;
  std::ranges::sort(sorted);
  const auto rank = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(rank, sorted.size() - 1)];
}

Ratio ratio_of(const Samples& a, const Samples& b) {
  const double value = b.median() / a.median();
  const auto spread = [](const Samples& s) {
    return s.deviation() / s.mean() / std::sqrt(static_cast<double>(s.seconds.size()));
  };
  return {value, value * std::hypot(spread(a), spread(b))};
}

}  // namespace hone::cli
