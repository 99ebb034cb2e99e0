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

constexpr double kEqualTrials = 64;  // after so many, prior and learner count the same
constexpr double kLeastScore = 1e-3;

}  // namespace

void Informed::train(std::span<const Sample> samples, std::span<const double> labels) {
  prior_->train(samples, labels);
  learner_->train(samples, labels);
  const std::vector<Prediction> known = prior_->predict(samples);
  double product = 0, square = 0;
  n_trials_ = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    product += known[i].score * labels[i];
    square += known[i].score * known[i].score;
    n_trials_ += labels[i] > 0;
  }
  scale_ = square > 0 && product > 0 ? product / square : 1;
}

std::vector<Prediction> Informed::predict(std::span<const Sample> samples) const {
  std::vector<Prediction> known = prior_->predict(samples);
  if (n_trials_ == 0) return known;
  const std::vector<Prediction> learned = learner_->predict(samples);
  const double weight = n_trials_ / (n_trials_ + kEqualTrials);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double before = std::max(scale_ * known[i].score, kLeastScore);
    const double after = std::max(learned[i].score, kLeastScore);
    known[i].score = std::pow(before, 1 - weight) * std::pow(after, weight);
    // As the score changes with the learner's; near 0 that is without bound, but no reason for hope.
    known[i].spread = weight * learned[i].spread * std::min(1.0, known[i].score / after);
    known[i].valid *= learned[i].valid;
    if (weight > 0.5) known[i].parts = learned[i].parts;
  }
  return known;
}

std::string Informed::weights() const {
  return JsonObject()
             .add("trials", n_trials_)
             .add("scale", fmt::format("{:a}", scale_))  // exact, as the trees are
             .text() +
         "\n" + learner_->weights();
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
  learner_->set_weights(bytes.substr(end + 1));
  n_trials_ = static_cast<int>(trials);
  scale_ = scale;
}

}  // namespace hone::score
