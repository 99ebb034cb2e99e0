#include "score/adapted.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace hone::score {
namespace {

constexpr std::size_t kUnits = 8;
constexpr double kFirstWeights = 1;   // those that a unit looks with are drawn from both sides up to it
constexpr double kNegligible = 1e-6;  // an error that says nothing; Adam would follow it nevertheless
// Against the training before, in trials of the fastest program.
constexpr double kStiffness = 0.3;
constexpr int kSteps = 80;
constexpr double kRate = 0.1;  // of the first step; it falls to 0

// How the value of a trial changes with the weights: a row of the Jacobian, written down unit by unit.
class Slope {
 public:
  Slope(const Bottleneck& adapter, std::span<const double> h) : adapter_(adapter), h_(h) {
    value_ = adapter.value(h, &active_);
  }

  double value() const { return value_; }
  void add(double times, Row& to) const {
    for (std::size_t unit = 0; unit < active_.size(); ++unit) {
      double* const of_unit = &to[unit * (h_.size() + 2)];
      const double by = times * inner(unit);
      for (std::size_t j = 0; j < h_.size(); ++j) of_unit[j] += by * h_[j];
      of_unit[h_.size()] += by;
      of_unit[h_.size() + 1] += times * active_[unit];
    }
  }

 private:
  std::span<const double> part(const Row& weights, std::size_t unit) const {
    return std::span(weights).subspan(unit * (h_.size() + 2), h_.size() + 2);
  }
  double inner(std::size_t unit) const {
    return part(adapter_.weights, unit).back() * (1 - active_[unit] * active_[unit]);
  }

  const Bottleneck& adapter_;
  std::span<const double> h_;
  Row active_;
  double value_;
};

// Of half the weighted squares of what is left of the errors, and of what every change costs.
Row gradient(const Bottleneck& adapter, const Row& first, const Trials& trials) {
  Row out(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) out[i] = kStiffness * (adapter.weights[i] - first[i]);
  for (std::size_t i = 0; i < trials.rows.size(); ++i) {
    const Slope slope(adapter, trials.rows[i]);
    slope.add(trials.weights[i] * (slope.value() - trials.errors[i]), out);
  }
  return out;
}

// Adam: a step's length does not depend on how steep the way is.
class Adam {
 public:
  explicit Adam(std::size_t n) : mean_(n), square_(n) {}

  void step(Row& weights, const Row& slope, double rate) {
    constexpr double kMean = 0.9, kSquare = 0.999, kLeast = 1e-8;
    ++steps_;
    const double of_mean = 1 - std::pow(kMean, steps_), of_square = 1 - std::pow(kSquare, steps_);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      mean_[i] += (1 - kMean) * (slope[i] - mean_[i]);
      square_[i] += (1 - kSquare) * (slope[i] * slope[i] - square_[i]);
      weights[i] -= rate * mean_[i] / of_mean / (std::sqrt(square_[i] / of_square) + kLeast);
    }
  }

 private:
  Row mean_, square_;
  int steps_ = 0;
};

}  // namespace

double Bottleneck::value(std::span<const double> h, Row* active) const {
  double sum = 0;
  for (std::size_t unit = 0; unit < n_units(); ++unit) {
    const std::span<const double> of_unit = std::span(weights).subspan(unit * (width + 2), width + 2);
    const double tanh = std::tanh(product(of_unit.first(width), h) + of_unit[width]);
    if (active != nullptr) active->push_back(tanh);
    sum += of_unit.back() * tanh;
  }
  return sum;
}

void Adapted::train(std::span<const Sample> samples, std::span<const double> labels) {
  Trials trials = trials_of(known_->predict(samples), labels);
  centre_ = trials.centre;
  offset_ = trials.offset;
  adapter_ = {.width = centre_.size(), .weights = {}};
  const auto is_right = [](double error) { return std::abs(error) < kNegligible; };
  if (trials.spread <= 0 || std::ranges::all_of(trials.errors, is_right)) return;
  scale_ = 1 / std::sqrt(trials.spread);
  for (Row& row : trials.rows)
    for (double& value : row) value *= scale_;
  Random random(seed_, 0);
  for (std::size_t unit = 0; unit < kUnits; ++unit) {
    for (std::size_t j = 0; j <= adapter_.width; ++j)
      adapter_.weights.push_back((2 * random.unit() - 1) * kFirstWeights);
    adapter_.weights.push_back(0);
  }
  const Row first = adapter_.weights;
  Adam adam(first.size());
  for (int step = 0; step < kSteps; ++step) {
    const double left = 1 - static_cast<double>(step) / kSteps;
    adam.step(adapter_.weights, gradient(adapter_, first, trials), kRate * left);
  }
}

std::vector<Prediction> Adapted::predict(std::span<const Sample> samples) const {
  std::vector<Prediction> known = known_->predict(samples);
  for (Prediction& prediction : known) {
    Row row(prediction.hidden.begin(), prediction.hidden.end());
    for (std::size_t j = 0; j < centre_.size(); ++j) row[j] = (row[j] - centre_[j]) * scale_;
    correct(prediction, offset_, adapter_.value(row));
  }
  return known;
}

}  // namespace hone::score
