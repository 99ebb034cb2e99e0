#include "search/acquisition.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/nearest.h"
#include "search/pool.h"

namespace hone::search {
namespace {

// The mean of max(score - best, 0) over the normal distribution of the score.
double improvement(const Prediction& prediction, double best) {
  const double gain = prediction.score - best;
  if (prediction.spread <= 0) return prediction.valid * std::max(gain, 0.0);
  const double z = gain / prediction.spread;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  const double below = std::erfc(-z / std::numbers::sqrt2) / 2;
  return prediction.valid * (gain * below + prediction.spread * density);
}

// A draw from the standard normal distribution (Box and Muller).
double normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.unit()));
  return radius * std::cos(2 * std::numbers::pi * random.unit());
}

double draw(const Prediction& prediction, Random random) {
  const double score = prediction.score + prediction.spread * normal(random);
  return expected_score({.score = score, .valid = prediction.valid});
}

}  // namespace

const std::vector<std::string>& acquisition_names() {
  static const std::vector<std::string> kNames = {"greedy", "improvement", "thompson"};
  return kNames;
}

Acquisition acquisition_from_name(std::string_view name) {
  const auto& names = acquisition_names();
  const auto at = std::ranges::find(names, name);
  if (at == names.end())
    throw UserError("unknown acquisition '" + std::string(name) + "'", did_you_mean(name, names));
  return static_cast<Acquisition>(at - names.begin());
}

std::vector<double> worths(Acquisition acquisition, std::span<const Prediction* const> predictions,
                           std::optional<double> best, std::uint64_t seed) {
  const bool is_unsure = std::ranges::any_of(
      predictions, [](const Prediction* prediction) { return prediction->spread > 0; });
  std::vector<double> out;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const Prediction& prediction = *predictions[i];
    if (acquisition == Acquisition::Thompson) {
      out.push_back(draw(prediction, Random(seed, i)));
    } else if (acquisition == Acquisition::ExpectedImprovement && best && is_unsure) {
      out.push_back(improvement(prediction, *best));
    } else {
      out.push_back(expected_score(prediction));
    }
  }
  return out;
}

}  // namespace hone::search
