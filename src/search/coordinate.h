// Coordinate descent: changes one entry of the best point at a time.
#pragma once
#include "search/fresh.h"
#include "search/history.h"
#include "search/search.h"

namespace hone::search {

// Goes round the coordinates of the best point since the last start. Where all its neighbours were
// seen, random points follow and it starts again from the best of them. The scorer decides which values
// of a coordinate come first.
class CoordinateDescent final : public Search {
 public:
  CoordinateDescent(const Domain& domain, const Options& options)
      : domain_(domain), seed_(options.seed), fresh_(domain) {}

  std::vector<Point> next(int batch, const Scorer& scorer, int round) override;
  void tell(std::span<const Trial> trials) override;

 private:
  std::vector<Point> unseen_neighbours(const Scorer& scorer);
  void fill_up(std::vector<Point>& chosen, int batch, int round);

  const Domain& domain_;
  std::uint64_t seed_;
  History history_;
  Fresh fresh_;
  std::optional<Trial> centre_;  // the best since the last start
  std::size_t coordinate_ = 0;   // where the next batch goes on
};

}  // namespace hone::search
