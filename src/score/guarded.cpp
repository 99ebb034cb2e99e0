#include "score/guarded.h"

#include <algorithm>

#include "score/metrics.h"

namespace hone::score {
namespace {

constexpr std::size_t kRounds = 2;  // that decide who leads
constexpr std::size_t kFewest = 4;  // programs that can be ranked at all

double correlation(const Model& model, std::span<const Sample> samples,
                   std::span<const double> labels) {
  const std::vector<Prediction> predictions = model.predict(samples);
  std::vector<double> scores, times;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (labels[i] <= 0) continue;
    scores.push_back(predictions[i].score);
    times.push_back(1 / labels[i]);
  }
  return rank_correlation(scores, times);
}

}  // namespace

void Guarded::train(std::span<const Sample> samples, std::span<const double> labels) {
  const std::size_t known = std::min(n_judged_, samples.size());
  const std::span<const Sample> fresh = samples.subspan(known);
  const std::span<const double> fresh_labels = labels.subspan(known);
  if (std::ranges::count_if(fresh_labels, [](double label) { return label > 0; }) >=
      static_cast<std::ptrdiff_t>(kFewest)) {
    last_.push_back(
        {correlation(*learned_, fresh, fresh_labels), correlation(*draft_, fresh, fresh_labels)});
    if (last_.size() > kRounds) last_.pop_front();
    n_judged_ = samples.size();
  }
  learned_->train(samples, labels);
  draft_->train(samples, labels);
}

bool Guarded::draft_leads() const {
  if (last_.size() < kRounds) return false;
  double difference = 0;
  for (const Round& round : last_) difference += round.draft - round.learned;
  return difference > 0;
}

int Guarded::n_voices() const { return last_.size() < kRounds ? 2 : 1; }

std::vector<Prediction> Guarded::predict_as(int voice, std::span<const Sample> samples) const {
  return voice == 0 ? predict(samples) : draft_->predict(samples);
}

std::vector<Prediction> Guarded::predict(std::span<const Sample> samples) const {
  return draft_leads() ? draft_->predict(samples) : predict_best(*learned_, *draft_, samples, cut_);
}

}  // namespace hone::score
