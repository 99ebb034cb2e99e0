// Random search: the floor under all others.
#pragma once
#include "search/fresh.h"
#include "search/history.h"
#include "search/search.h"

namespace hone::search {

class RandomSearch final : public Search {
 public:
  RandomSearch(const Domain& domain, const Options& options) : seed_(options.seed), fresh_(domain) {}

  std::vector<Point> next(int batch, const Scorer& scorer, int round) override;
  void tell(std::span<const Trial> trials) override { history_.tell(trials); }

 private:
  std::uint64_t seed_;
  History history_;
  Fresh fresh_;
};

}  // namespace hone::search
