// New points without regard to their score.
#pragma once
#include "search/history.h"

namespace hone::search {

// Samples until a point comes that was not seen. Once samples repeat themselves, it looks through the
// neighbours of what was seen: the last points of a small domain would take very long to draw by
// chance.
class Fresh {
 public:
  explicit Fresh(const Domain& domain) : domain_(domain) {}

  // Nothing when the domain is exhausted. The point is not marked as seen.
  std::optional<Point> next(const Seen& seen, Random& random);

  // Adds points to a batch until it has `size`, and proposes them; fewer when the domain is exhausted.
  void fill(std::vector<Point>& batch, int size, History& history, std::uint64_t seed);

 private:
  const Domain& domain_;
  std::size_t n_expanded_ = 0;  // seen points all of whose neighbours are seen too
};

}  // namespace hone::search
