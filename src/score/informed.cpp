#include "score/informed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/error.h"
#include "base/json.h"
#include "base/json_object.h"

namespace hone::score {
namespace {

constexpr double kLeastScore = 1e-6;
constexpr double kMostWrong = 1.5;  // a factor of 4.5: whatever is further off is as bad

double log_of(double score) { return std::log(std::max(score, kLeastScore)); }
double bounded(double correction) { return std::clamp(correction, -kMostWrong, kMostWrong); }

}  // namespace

void Informed::train(std::span<const Sample> samples, std::span<const double> labels) {
  const std::vector<Prediction> known = prior_->predict(samples);
  double sum = 0, weight = 0;  // fast programs count more, as in the trees' loss
  n_trials_ = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (labels[i] <= 0) continue;
    sum += labels[i] * (log_of(labels[i]) - log_of(known[i].score));
    weight += labels[i];
    ++n_trials_;
  }
  const double log_scale = n_trials_ > 0 ? sum / weight : 0;
  scale_ = std::exp(log_scale);
  std::vector<double> wrong_by;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double expected = log_of(known[i].score) + log_scale;
    wrong_by.push_back(labels[i] > 0 ? bounded(log_of(labels[i]) - expected) : 0);
  }
  correction_.fit(samples, wrong_by, labels);
}

std::vector<Prediction> Informed::predict(std::span<const Sample> samples) const {
  std::vector<Prediction> known = prior_->predict(samples);
  if (n_trials_ == 0) return known;
  const std::vector<Prediction> learned = correction_.predict(samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    known[i].score *= scale_ * std::exp(bounded(learned[i].score));
    known[i].spread = known[i].score * learned[i].spread;
    known[i].valid *= learned[i].valid;
    // A prior counts costs; a statement that is slower than it says costs more. Of one that does not
    // tell them, corrections alone would say nothing.
    for (std::size_t row = 0; row < known[i].parts.size(); ++row)
      known[i].parts[row] *= std::exp(static_cast<float>(-bounded(learned[i].parts[row])));
  }
  return known;
}

std::string Informed::weights() const {
  return JsonObject()
             .add("trials", n_trials_)
             .add("scale", fmt::format("{:a}", scale_))  // exact, as the trees are
             .text() +
         "\n" + correction_.weights();
}

void Informed::set_weights(const std::string& bytes) {
  constexpr std::int64_t kMaxTrials = 1 << 30;
  const std::size_t end = bytes.find('\n');
  if (end == std::string::npos) throw UserError("the model's first line is missing");
  JsonCursor json(std::string_view(bytes).substr(0, end));
  std::int64_t trials = -1;
  double scale = 0;
  json.object([&](std::string_view name) {
    if (name == "trials") {
      trials = json.integer(0, kMaxTrials, "a number of trials");
    } else if (name == "scale") {
      scale = std::strtod(json.string("a scale").c_str(), nullptr);
    } else {
      return false;
    }
    return true;
  });
  if (trials < 0 || !(scale > 0)) json.fail("expected trials and a scale");
  correction_.set_weights(bytes.substr(end + 1));
  n_trials_ = static_cast<int>(trials);
  scale_ = scale;
}

}  // namespace hone::score
