// What many timed runs say.
#pragma once
#include <vector>

namespace hone::cli {

struct Samples {
  std::vector<double> seconds;

  double mean() const;
  double deviation() const;               // standard, of one run
  double percentile(double share) const;  // the sample below which that share of them lies
  double median() const { return percentile(0.5); }
};

// How many times longer b takes than a, by their medians, and the spread of that.
struct Ratio {
  double value, spread;
};
Ratio ratio_of(const Samples& a, const Samples& b);

}  // namespace hone::cli
