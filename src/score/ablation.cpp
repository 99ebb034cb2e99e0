#include "score/ablation.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/expected_score.h"

namespace hone::score {
namespace {

constexpr double kLeastScore = 1e-6;

std::vector<float>& values_of(Sample& sample, const std::string& view) {
  if (view.empty()) return sample.values;
  const auto found = std::ranges::find(sample.views, view, &View::name);
  check(found != sample.views.end(), "an ablation is of a view that the sample has");
  return found->values;
}

Sample changed(Sample sample, const Ablation& ablation) {
  for (const Change& change : ablation) {
    std::vector<float>& values = values_of(sample, change.view);
    check(change.index < values.size(), "an ablation is of a number that the sample has");
    values[change.index] = change.value;
  }
  return sample;
}

}  // namespace

double log_worth(const Prediction& prediction) {
  const double worth = expected_score(prediction.score, prediction.valid);
  return std::log(worth > 0 ? worth : kLeastScore);
}

std::vector<double> effects(const Predictor& model, const Sample& sample,
                            std::span<const Ablation> ablations) {
  std::vector<Sample> samples = {sample};
  for (const Ablation& ablation : ablations) samples.push_back(changed(sample, ablation));
  const std::vector<Prediction> said = model.predict(samples);
  std::vector<double> out;
  for (std::size_t i = 1; i < said.size(); ++i) out.push_back(log_worth(said[0]) - log_worth(said[i]));
  return out;
}

}  // namespace hone::score
