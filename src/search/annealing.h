// Simulated annealing on the scorer: chains that always take a better step and sometimes a worse one.
#pragma once
#include "search/guided.h"

namespace hone::search {

// Chains persist from round to round, so that they need not climb again; a chain whose point was
// measured goes on from there.
class Annealing final : public Guided {
 public:
  using Guided::Guided;

 private:
  void explore(Pool& pool, const Scorer& scorer, int round) override;
  void start_chains(int round);

  std::vector<Point> chains_;
};

}  // namespace hone::search
