#include "score/boosted_trees.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <thread>

#include "base/error.h"
#include "base/random.h"
#include "score/packs.h"

namespace hone::score {
namespace {

// Runs `work` on `n` threads, this one among them.
void on_threads(int n, const std::function<void()>& work) {
  std::vector<std::jthread> others;
  for (int i = 1; i < n; ++i) others.emplace_back(work);
  work();
}

// First and second derivative of a program's loss with respect to its sum of rows.
struct Slope {
  double first, second;
};

// Fits the sum of each program's rows. A tree moves all rows of a program at once, so the step of one
// row is only safe when the curvature counts them all; with the plain second derivative, programs of
// many rows diverge.
Booster fit_sums(const Packs& packs, const TrainingTable& table, const BoosterOptions& options,
                 int rounds, const std::function<Slope(std::size_t program, double sum)>& slope) {
  Booster booster(table, options);
  std::vector<float> gradient(packs.first.back());
  std::vector<float> curvature(packs.first.back());
  for (int round = 0; round < rounds; ++round) {
    const std::vector<double> now = sums(packs, booster.values(table));
    for (std::size_t i = 0; i < packs.size(); ++i) {
      const Slope at = slope(i, now[i]);
      for (std::size_t row = packs.first[i]; row < packs.first[i + 1]; ++row) {
        gradient[row] = static_cast<float>(at.first);
        curvature[row] = static_cast<float>(at.second * static_cast<double>(packs.n_rows(i)));
      }
    }
    booster.boost(table, gradient, curvature);
  }
  return booster;
}

Booster fit_score(const Packs& packs, const TrainingTable& table, const BoostedTreesOptions& options,
                  std::span<const double> targets, std::span<const double> weights,
                  std::uint64_t seed) {
  std::vector<double> drawn;
  for (std::size_t i = 0; i < weights.size(); ++i)
    drawn.push_back(-weights[i] * std::log(1 - Random(seed, i).unit()));
  BoosterOptions own = options.booster;
  own.seed = seed;
  return fit_sums(packs, table, own, options.rounds, [&](std::size_t i, double sum) {
    return Slope{(sum - targets[i]) * drawn[i], drawn[i]};
  });
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

Booster fit_validity(const Packs& packs, const TrainingTable& table, const BoostedTreesOptions& options,
                     std::span<const double> weights) {
  return fit_sums(packs, table, options.booster, options.rounds, [&](std::size_t i, double sum) {
    const double valid = logistic(sum);
    return Slope{valid - (weights[i] > 0 ? 1.0 : 0.0), valid * (1 - valid)};
  });
}

// Score and parts are the mean of the members, the spread is their standard deviation.
void add_members(const Packs& packs, const std::vector<std::vector<float>>& members,
                 std::vector<Prediction>& out) {
  const double share = 1 / static_cast<double>(members.size());
  for (const std::vector<float>& values : members) {
    const std::vector<double> scores = sums(packs, values);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i].score += share * scores[i];
      out[i].spread += share * scores[i] * scores[i];
      for (std::size_t row = 0; row < packs.n_rows(i); ++row)
        out[i].parts[row] += static_cast<float>(share) * values[packs.first[i] + row];
    }
  }
  for (Prediction& prediction : out)
    prediction.spread =
        std::sqrt(std::max(0.0, prediction.spread - prediction.score * prediction.score));
}

}  // namespace

void BoostedTrees::fit(std::span<const Sample> samples, std::span<const double> targets,
                       std::span<const double> weights) {
  check(samples.size() == targets.size() && samples.size() == weights.size(),
        "every sample has a label");
  members_.clear();
  validity_.reset();
  columns_ = varying_columns(samples);
  if (columns_.empty()) return;
  const Packs packs = pack(samples, columns_);
  const auto n_members = static_cast<std::size_t>(options_.members);
  const bool some_failed = std::ranges::any_of(weights, [](double weight) { return weight <= 0; });
  std::vector<std::optional<Booster>> boosters(n_members + (some_failed ? 1 : 0));
  std::atomic<std::size_t> next = 0;
  on_threads(std::min(options_.threads, static_cast<int>(boosters.size())), [&] {
    // One a thread: XGBoost sorts the values into bins when a booster first asks, unprotected.
    const TrainingTable table(packs.table);
    for (std::size_t i = next++; i < boosters.size(); i = next++) {
      const std::uint64_t seed = random_bits(options_.seed, 0, i);
      boosters[i].emplace(i == n_members ? fit_validity(packs, table, options_, weights)
                                         : fit_score(packs, table, options_, targets, weights, seed));
    }
  });
  for (std::size_t i = 0; i < n_members; ++i) members_.push_back(std::move(*boosters[i]));
  if (some_failed) validity_.emplace(std::move(*boosters.back()));
}

std::vector<Prediction> BoostedTrees::predict(std::span<const Sample> samples) const {
  std::vector<Prediction> out(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    out[i].parts.assign(samples[i].n_rows(), 0);
    out[i].valid = samples[i].n_rows() == 0 ? 0 : 1;
  }
  if (members_.empty()) return out;
  const Packs packs = pack(samples, columns_);
  std::vector<std::vector<float>> values(members_.size() + (validity_ ? 1 : 0));
  std::atomic<std::size_t> next = 0;
  on_threads(std::min(options_.threads, static_cast<int>(values.size())), [&] {
    for (std::size_t i = next++; i < values.size(); i = next++)
      values[i] = (i < members_.size() ? members_[i] : *validity_).values(packs.table);
  });
  if (validity_) {
    const std::vector<double> validity = sums(packs, values.back());
    for (std::size_t i = 0; i < out.size(); ++i) out[i].valid *= logistic(validity[i]);
    values.pop_back();
  }
  add_members(packs, values, out);
  return out;
}

}  // namespace hone::score
