#include "tune/search_proposer.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/parallel.h"

namespace hone::tune {
namespace {

// Fewer valid trials than this teach nothing.
constexpr int kEnoughToLearn = 8;
// Points that decode to a candidate already known are replaced this often before a round is cut short.
constexpr int kAttempts = 4;

// Of what is still wanted, for the first of `n_left` voices that have not been asked yet.
int part_of(std::size_t wanted, int n_left) {
  const auto n = static_cast<std::size_t>(std::max(1, n_left));
  return static_cast<int>((wanted + n - 1) / n);
}

search::Prediction to_search(const score::Prediction& prediction, const score::Sample& sample) {
  search::Prediction out{
      .score = prediction.score, .spread = prediction.spread, .valid = prediction.valid, .parts = {}};
  for (std::size_t row = 0; row < prediction.parts.size(); ++row) {
    const auto node = static_cast<std::size_t>(sample.nodes[row]);
    if (out.parts.size() <= node) out.parts.resize(node + 1);
    out.parts[node] += prediction.parts[row];
  }
  return out;
}

}  // namespace

SearchProposer::SearchProposer(std::unique_ptr<const Candidates> candidates,
                               std::unique_ptr<search::Search> search, Featurise featurise,
                               std::unique_ptr<score::Model> model, int jobs)
    : candidates_(std::move(candidates)),
      featurise_(std::move(featurise)),
      model_(std::move(model)),
      jobs_(jobs),
      search_(std::move(search)) {}

std::vector<score::Sample> SearchProposer::samples_of(std::span<const search::Point> points) {
  std::vector<score::Sample> samples(points.size());
  std::vector<std::size_t> fresh;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (std::optional<score::Sample> known = met_.take(points[i])) {
      samples[i] = std::move(*known);
    } else {
      fresh.push_back(i);
    }
  }
  parallel_for(fresh.size(), jobs_, [&](std::size_t i) {
    if (const auto steps = candidates_->decode(points[fresh[i]]))
      samples[fresh[i]] = featurise_(*steps);
  });
  return samples;
}

std::vector<search::Prediction> SearchProposer::predict(int voice,
                                                        std::span<const search::Point> points) {
  const double start = now_s();
  std::vector<score::Sample> samples = samples_of(points);
  const std::vector<score::Prediction> predictions = model_->predict_as(voice, samples);
  std::vector<search::Prediction> out;
  out.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    out.push_back(to_search(predictions[i], samples[i]));
    met_.keep(points[i], std::move(samples[i]));
  }
  score_s_ += now_s() - start;
  return out;
}

Proposals SearchProposer::propose(int round, std::size_t count, const IsKnown& is_known) {
  const double start = now_s();
  const int n_voices = model_->n_voices();
  Proposals proposals;
  std::vector<Candidate>& chosen = proposals.candidates;
  for (int attempt = 0; attempt < kAttempts && chosen.size() < count; ++attempt) {
    const int voice = attempt % n_voices;
    const search::Scorer scorer = [this, voice](std::span<const search::Point> points) {
      return predict(voice, points);
    };
    const std::vector<search::Point> points = search_->next(
        part_of(count - chosen.size(), n_voices - attempt), scorer, round * kAttempts + attempt);
    if (points.empty()) break;
    const std::vector<search::Prediction> predictions = predict(voice, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::optional<schedule::Steps> steps = candidates_->decode(points[i]);
      if (!steps) continue;
      Candidate candidate = candidate_of(std::move(*steps), predictions[i].score);
      const bool is_taken = std::ranges::find(chosen, candidate.key, &Candidate::key) != chosen.end();
      if (is_taken || is_known(candidate.key)) continue;
      chosen.push_back(std::move(candidate));
      proposed_.add(points[i]);
    }
  }
  met_.forget_but(proposed_);
  proposals.score_s = std::exchange(score_s_, 0);
  proposals.search_s = std::max(0.0, now_s() - start - proposals.score_s);
  return proposals;
}

score::Sample SearchProposer::sample_of(const Trial& trial, const std::optional<search::Point>& point) {
  std::optional<score::Sample> known = point ? met_.take(*point) : std::nullopt;
  return known ? std::move(*known) : featurise_(trial.candidate.steps);
}

void SearchProposer::learn(std::span<const Trial> trials) {
  const double start = now_s();
  std::vector<search::Trial> told;
  for (const Trial& trial : trials) {
    // The baseline, and what another session measured, may lie outside of the space.
    std::optional<search::Point> point = candidates_->encode(trial.candidate.steps);
    score::Sample sample = sample_of(trial, point);
    if (point) {
      met_.keep(*point, sample);
      told.push_back({std::move(*point), trial.is_ok() ? std::optional(trial.best_s()) : std::nullopt});
    }
    if (sample.n_rows() == 0) continue;  // it cannot be built: there is nothing that a model could read
    samples_.push_back(std::move(sample));
    times_.push_back(trial.best_s());
  }
  search_->tell(told);
  if (!trials.empty()) train();
  score_s_ += now_s() - start;
}

void SearchProposer::train() {
  const auto valid = std::ranges::count_if(times_, [](double time) { return std::isfinite(time); });
  if (valid < kEnoughToLearn) return;
  const double best_s = *std::ranges::min_element(times_);
  std::vector<double> labels;
  for (const double time_s : times_) labels.push_back(std::isfinite(time_s) ? best_s / time_s : 0);
  model_->train(samples_, labels);
}

}  // namespace hone::tune
