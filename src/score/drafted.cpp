#include "score/drafted.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/expected_score.h"
#include "base/parallel.h"

namespace hone::score {
namespace {

constexpr std::size_t kFewest = 32;  // samples: a portion of a network's kernels holds more

double expected(const Prediction& prediction) {
  return expected_score(prediction.score, prediction.valid);
}

// The numbers of those that the model is shown, the draft's favourite first.
std::vector<std::size_t> best_of(std::span<const Prediction> drafted, std::span<const Sample> samples,
                                 double share) {
  std::vector<std::size_t> best;
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (samples[i].n_rows() > 0) best.push_back(i);
  std::ranges::stable_sort(best, std::ranges::greater{},
                           [&](std::size_t i) { return expected(drafted[i]); });
  const auto wanted = static_cast<std::size_t>(std::ceil(share * static_cast<double>(samples.size())));
  best.resize(std::min(best.size(), std::max(wanted, kFewest)));
  return best;
}

// Below `least`, the further the less the draft thinks of it compared with the last that was shown.
Prediction cut_off(Prediction drafted, double last_shown, double least) {
  const double share = last_shown > 0 ? std::clamp(expected(drafted) / last_shown, 0.0, 1.0) : 0;
  drafted.score = least - std::abs(least) * (1 - share);
  drafted.spread = 0;
  return drafted;
}

}  // namespace

std::vector<Prediction> predict_best(const Predictor& model, const Predictor& draft,
                                     std::span<const Sample> samples, const Cut& cut) {
  std::vector<Prediction> out = draft.predict(samples);
  const std::vector<std::size_t> best = best_of(out, samples, cut.share);
  if (best.empty()) return out;
  std::vector<Sample> shown;
  for (const std::size_t i : best) shown.push_back(samples[i]);
  parallel_for(shown.size(), cut.threads, [&](std::size_t i) {
    if (shown[i].later != nullptr) shown[i].later->get();
  });
  std::vector<Prediction> said = model.predict(shown);
  check(said.size() == shown.size(), "a model predicts every sample");
  const double last_shown = expected(out[best.back()]);
  double least = std::numeric_limits<double>::infinity();
  for (const Prediction& prediction : said) least = std::min(least, expected(prediction));
  for (Prediction& prediction : out) prediction = cut_off(std::move(prediction), last_shown, least);
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (said[i].parts.empty()) said[i].parts = std::move(out[best[i]].parts);
    out[best[i]] = std::move(said[i]);
  }
  return out;
}

}  // namespace hone::score
