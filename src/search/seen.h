// The points that need not be proposed again.
#pragma once
#include <unordered_set>

#include "search/domain.h"

namespace hone::search {

struct PointHash {
  std::size_t operator()(const Point& point) const {
    std::uint64_t hash = point.size();
    for (const std::int64_t entry : point) hash = mix_bits(hash + static_cast<std::uint64_t>(entry));
    return hash;
  }
};

class Seen {
 public:
  // False when the point was there already.
  bool add(const Point& point) {
    if (!set_.insert(point).second) return false;
    in_order_.push_back(point);
    return true;
  }
  bool contains(const Point& point) const { return set_.contains(point); }
  const std::vector<Point>& in_order() const { return in_order_; }

 private:
  std::unordered_set<Point, PointHash> set_;
  std::vector<Point> in_order_;  // as hash order must not decide anything
};

}  // namespace hone::search
