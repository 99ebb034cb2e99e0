#include "score/coverage.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hone::score {
namespace {

// How many standard deviations around its mean hold this share of a normal distribution.
double half_width(double share) {
  double low = 0, high = 8;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (std::erf(middle / std::numbers::sqrt2) < share ? low : high) = middle;
  }
  return low;
}

const std::array<double, kLevels.size()>& half_widths() {
  static const auto kWidths = [] {
    std::array<double, kLevels.size()> out;
    std::ranges::transform(kLevels, out.begin(), half_width);
    return out;
  }();
  return kWidths;
}

}  // namespace

Claim claim_of(const Prediction& prediction, double measured) {
  return {-std::log(prediction.score), prediction.spread / prediction.score, measured};
}

std::vector<double> coverage(std::span<const TaskClaims> tasks, double scale) {
  std::vector<double> sums(kLevels.size());
  double judged = 0;
  for (const TaskClaims& claims : tasks) {
    if (claims.empty()) continue;
    judged += 1;
    for (std::size_t level = 0; level < kLevels.size(); ++level) {
      const double width = scale * half_widths()[level];
      const auto within = std::ranges::count_if(claims, [&](const Claim& claim) {
        return std::abs(claim.measured - claim.said) <= width * claim.spread;
      });
      sums[level] += static_cast<double>(within) / static_cast<double>(claims.size());
    }
  }
  if (judged == 0) return {};
  for (double& sum : sums) sum /= judged;
  return sums;
}

double expected_calibration_error(std::span<const TaskClaims> tasks, double scale) {
  const std::vector<double> shares = coverage(tasks, scale);
  double sum = 0;
  for (std::size_t level = 0; level < shares.size(); ++level)
    sum += std::abs(shares[level] - kLevels[level]) / static_cast<double>(kLevels.size());
  return sum;
}

double fit_spread_scale(std::span<const TaskClaims> tasks) {
  constexpr int kSteps = 24;  // between a factor and twice it
  constexpr int kMost = 6 * kSteps;
  double best = 1, least = expected_calibration_error(tasks);
  for (int step = -kMost; step <= kMost; ++step) {
    const double scale = std::exp2(static_cast<double>(step) / kSteps);
    const double error = expected_calibration_error(tasks, scale);
    if (error >= least) continue;
    least = error;
    best = scale;
  }
  return best;
}

}  // namespace hone::score
