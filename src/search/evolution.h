// Evolutionary search: generations of points, in which good ones have more children.
#pragma once
#include "search/guided.h"

namespace hone::search {

// The first generation of a round are samples, the fastest measured points and the best of the last
// round that were not measured. A child is a mutation of one point or a cross of two; parents are drawn
// by rank, because the scale of scores changes whenever the model is trained.
class Evolution final : public Guided {
 public:
  using Guided::Guided;

 private:
  void explore(Pool& pool, const Scorer& scorer, int round) override;
  int population_of(int round) const;
  std::vector<Point> first_generation(int round) const;
  std::vector<Point> children(std::vector<int> parents, const Pool& pool, int round,
                              int generation) const;
  std::optional<Point> child(const std::vector<int>& ranked, const Pool& pool, Random& random) const;
  void climb(Pool& pool, const Scorer& scorer) const;
  void keep_elite(const Pool& pool);

  std::vector<Point> elite_;  // of the last round
};

}  // namespace hone::search
