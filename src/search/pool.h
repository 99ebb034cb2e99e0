// The points met while one batch is searched, each scored once.
#pragma once
#include <unordered_map>

#include "search/seen.h"

namespace hone::search {

struct Scored {
  Point point;
  Prediction prediction;
};

class Pool {
 public:
  // The places of the points in `scored()`. All that are new go to the scorer in one call.
  std::vector<int> add(std::vector<Point> points, const Scorer& scorer);
  const std::vector<Scored>& scored() const { return scored_; }
  const Scored& operator[](int place) const { return scored_[static_cast<std::size_t>(place)]; }

 private:
  std::vector<Scored> scored_;
  std::unordered_map<Point, int, PointHash> places_;
};

// What a score is worth when the program may fail: less, whatever its sign.
double expected_score(const Prediction& prediction);

// Highest expected score first; equals keep their order.
void sort_by_score(std::vector<int>& places, const Pool& pool);

}  // namespace hone::search
