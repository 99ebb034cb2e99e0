#include "tests/unit/search/nearest_model.h"

#include <algorithm>
#include <cmath>

namespace hone::search {

void NearestModel::tell(std::span<const Trial> trials) {
  for (const Trial& trial : trials) {
    const std::vector<float>& at = space_.coordinates(trial.point);
    known_.insert(known_.end(), at.begin(), at.end());
    log_times_.push_back(trial.time ? std::optional(std::log(*trial.time)) : std::nullopt);
    best_log_time_ = std::min(best_log_time_, log_times_.back().value_or(best_log_time_));
  }
}

std::vector<Prediction> NearestModel::predict(std::span<const Point> points) const {
  std::vector<Prediction> out;
  for (const Point& point : points) out.push_back(predict(point));
  return out;
}

// Nearest first.
std::array<NearestModel::Near, 5> NearestModel::nearest(const std::vector<float>& at) const {
  std::array<Near, 5> near;
  for (std::size_t known = 0; known < log_times_.size(); ++known) {
    const float* there = &known_[known * at.size()];
    float distance = 0;
    for (std::size_t i = 0; i < at.size(); ++i) distance += std::abs(at[i] - there[i]);
    if (distance >= near.back().distance) continue;
    std::size_t place = near.size() - 1;
    for (; place > 0 && near[place - 1].distance > distance; --place) near[place] = near[place - 1];
    near[place] = {distance, known};
  }
  return near;
}

Prediction NearestModel::predict(const Point& point) const {
  double weight = 0;
  double valid = 0;
  double mean = 0;
  double squares = 0;
  for (const Near& near : nearest(space_.coordinates(point))) {
    if (std::isinf(near.distance)) continue;
    const double w = 1 / (near.distance + 1e-3);  // finite for a point that is known itself
    weight += w;
    if (!log_times_[near.known]) continue;
    const double score = best_log_time_ - *log_times_[near.known];
    valid += w;
    mean += w * score;
    squares += w * score * score;
  }
  if (valid == 0) return {.valid = weight == 0 ? 1.0 : 0.0};
  mean /= valid;
  const double deviation = std::sqrt(std::max(0.0, squares / valid - mean * mean));
  return {.score = std::exp(mean), .spread = std::exp(mean) * deviation, .valid = valid / weight};
}

}  // namespace hone::search
