#include "score/refitted.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"

namespace hone::score {
namespace {

using Row = std::vector<double>;

constexpr double kLeastScore = 1e-6;
constexpr double kMostWrong = 1.5;  // a factor of 4.5: whatever is further off is as bad
// Against the training before, in trials of the fastest program.
constexpr double kStiffness = 1;
// Of the rows' size: trials that hardly differ say little of programs that do.
constexpr double kLeastSpread = 0.01;
constexpr int kMostIterations = 100;
constexpr double kConverged = 1e-10;  // of the first residual's square

double product(const Row& a, const Row& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

struct Trials {
  std::vector<Row> rows;
  Row weights, errors;  // how far the logarithm of the score is from the label's
};

Trials trials_of(std::span<const Prediction> known, std::span<const double> labels) {
  Trials out;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (labels[i] <= 0) continue;
    check(!known[i].hidden.empty(), "the network tells what its last layer reads");
    out.rows.emplace_back(known[i].hidden.begin(), known[i].hidden.end());
    out.weights.push_back(labels[i]);
    out.errors.push_back(std::log(labels[i]) - std::log(std::max(known[i].score, kLeastScore)));
  }
  return out;
}

Row weighted_mean(const std::vector<Row>& rows, const Row& weights) {
  Row mean(rows[0].size());
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += weights[i] / total * rows[i][j];
  return mean;
}

// x of (sum of w r r' + stiffness) x = sum of w e r by conjugate gradients, without the matrix.
Row solve(const Trials& trials, double stiffness) {
  const std::size_t width = trials.rows[0].size();
  const auto times_rows = [&](const auto& factor) {
    Row out(width);
    for (std::size_t i = 0; i < trials.rows.size(); ++i) {
      const double by = trials.weights[i] * factor(i);
      for (std::size_t j = 0; j < width; ++j) out[j] += by * trials.rows[i][j];
    }
    return out;
  };
  Row x(width), residual = times_rows([&](std::size_t i) { return trials.errors[i]; });
  Row direction = residual;
  double square = product(residual, residual);
  const double enough = kConverged * square;
  for (int i = 0; i < kMostIterations && square > enough; ++i) {
    Row turned = times_rows([&](std::size_t k) { return product(trials.rows[k], direction); });
    for (std::size_t j = 0; j < width; ++j) turned[j] += stiffness * direction[j];
    const double step = square / product(direction, turned);
    for (std::size_t j = 0; j < width; ++j) {
      x[j] += step * direction[j];
      residual[j] -= step * turned[j];
    }
    const double next = product(residual, residual);
    for (std::size_t j = 0; j < width; ++j) direction[j] = residual[j] + next / square * direction[j];
    square = next;
  }
  return x;
}

}  // namespace

void Refitted::train(std::span<const Sample> samples, std::span<const double> labels) {
  change_.clear();
  offset_ = 0;
  Trials trials = trials_of(known_->predict(samples), labels);
  if (trials.rows.empty()) return;
  centre_ = weighted_mean(trials.rows, trials.weights);
  const double total = std::accumulate(trials.weights.begin(), trials.weights.end(), 0.0);
  offset_ = product(trials.errors, trials.weights) / total;
  double spread = 0, size = 0;
  for (std::size_t i = 0; i < trials.rows.size(); ++i) {
    Row& row = trials.rows[i];
    size += trials.weights[i] / total * product(row, row);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] -= centre_[j];
    trials.errors[i] -= offset_;
    spread += trials.weights[i] / total * product(row, row);
  }
  const double scale = std::max(spread, kLeastSpread * size);
  if (scale > 0) change_ = solve(trials, kStiffness * scale);
}

std::vector<Prediction> Refitted::predict(std::span<const Sample> samples) const {
  std::vector<Prediction> known = known_->predict(samples);
  for (Prediction& prediction : known) {
    double correction = 0;
    for (std::size_t j = 0; j < change_.size(); ++j)
      correction += change_[j] * (double{prediction.hidden[j]} - centre_[j]);
    const double factor = std::exp(offset_ + std::clamp(correction, -kMostWrong, kMostWrong));
    prediction.score *= factor;
    prediction.spread *= factor;
  }
  return known;
}

}  // namespace hone::score
