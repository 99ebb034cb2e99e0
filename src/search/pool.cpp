#include "search/pool.h"

#include <algorithm>

#include "base/error.h"
#include "base/expected_score.h"

namespace hone::search {

std::vector<int> Pool::add(std::vector<Point> points, const Scorer& scorer) {
  std::vector<int> places;
  std::vector<Point> fresh;
  for (Point& point : points) {
    const int next_place = static_cast<int>(scored_.size() + fresh.size());
    const auto [at, is_new] = places_.try_emplace(point, next_place);
    places.push_back(at->second);
    if (is_new) fresh.push_back(std::move(point));
  }
  if (fresh.empty()) return places;
  std::vector<Prediction> predictions = scorer(fresh);
  check(predictions.size() == fresh.size(), "a scorer predicts every point");
  for (std::size_t i = 0; i < fresh.size(); ++i)
    scored_.push_back({std::move(fresh[i]), std::move(predictions[i])});
  return places;
}

double expected_score(const Prediction& prediction) {
  return hone::expected_score(prediction.score, prediction.valid);
}

void sort_by_score(std::vector<int>& places, const Pool& pool) {
  std::ranges::stable_sort(places, std::ranges::greater{},
                           [&](int place) { return expected_score(pool[place].prediction); });
}

}  // namespace hone::search
