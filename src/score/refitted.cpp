#include "score/refitted.h"

namespace hone::score {
namespace {

// Against the training before, in trials of the fastest program.
constexpr double kStiffness = 1;
constexpr int kMostIterations = 100;
constexpr double kConverged = 1e-10;  // of the first residual's square

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
  const Trials trials = trials_of(known_->predict(samples), labels);
  centre_ = trials.centre;
  offset_ = trials.offset;
  change_.clear();
  if (trials.spread > 0) change_ = solve(trials, kStiffness * trials.spread);
}

std::vector<Prediction> Refitted::predict(std::span<const Sample> samples) const {
  std::vector<Prediction> known = known_->predict(samples);
  for (Prediction& prediction : known) {
    double error = 0;
    for (std::size_t j = 0; j < change_.size(); ++j)
      error += change_[j] * (double{prediction.hidden[j]} - centre_[j]);
    correct(prediction, offset_, error);
  }
  return known;
}

}  // namespace hone::score
