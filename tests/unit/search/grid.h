// A domain of which everything is known: a box of whole numbers.
#pragma once
#include "search/domain.h"

namespace hone::search {

// All vectors of `entries` numbers below `values`; each entry is a node of its own.
class Grid : public Domain {
 public:
  Grid(int entries, std::int64_t values) : entries_(entries), values_(values) {}

  std::optional<Point> sample(Random& random) const override {
    Point point;
    for (int i = 0; i < entries_; ++i) point.push_back(random.below(values_));
    return point;
  }
  std::optional<Point> mutate(const Point& point, Random& random) const override {
    if (random.below(10) == 0) return std::nullopt;  // moves may fail
    Point other = point;
    other[static_cast<std::size_t>(random.below(entries_))] = random.below(values_);
    return other;
  }
  std::optional<Point> cross(const Point& first, const Point& second, const FromFirst& from_first,
                             Random& random) const override {
    if (random.below(10) == 0) return std::nullopt;
    Point child = first;
    for (int i = 0; i < entries_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (!from_first(i)) child[at] = second[at];
    }
    return child;
  }
  std::vector<Point> neighbours(const Point& point) const override {
    std::vector<Point> out;
    for (std::size_t i = 0; i < point.size(); ++i) {
      for (const std::int64_t step : {-1, 1}) {
        Point other = point;
        other[i] += step;
        if (other[i] >= 0 && other[i] < values_) out.push_back(std::move(other));
      }
    }
    return out;
  }

 private:
  int entries_;
  std::int64_t values_;
};

}  // namespace hone::search
