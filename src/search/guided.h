// What all searches that trust a scorer share: they explore, and the best of what they met is proposed,
// with a share of points that nobody recommends.
#pragma once
#include "search/fresh.h"
#include "search/history.h"
#include "search/pool.h"
#include "search/search.h"

namespace hone::search {

class Guided : public Search {
 public:
  Guided(const Domain& domain, const Options& options)
      : domain_(domain), options_(options), fresh_(domain) {}

  std::vector<Point> next(int batch, const Scorer& scorer, int round) final;
  void tell(std::span<const Trial> trials) final { history_.tell(trials); }

 protected:
  // Adds what is worth considering to the pool. Points may repeat and may have been seen.
  virtual void explore(Pool& pool, const Scorer& scorer, int round) = 0;

  // The random numbers of one slot of one phase (a generation, a step) of a round.
  Random random(int round, int phase, int slot) const;
  // Up to `n` of the fastest measured points.
  std::vector<Point> fastest(int n) const;

  const Domain& domain_;
  const Options options_;
  History history_;

 private:
  std::uint64_t seed_of(int round, int phase) const;
  int part_of(int batch, double share, int round, int phase) const;
  std::vector<Point> beside_fastest(int n, Pool& pool, const Scorer& scorer) const;
  std::vector<Point> best_samples(int n, const Scorer& scorer, int round) const;

  Fresh fresh_;
};

}  // namespace hone::search
