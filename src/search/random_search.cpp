#include "search/random_search.h"

namespace hone::search {

std::vector<Point> RandomSearch::next(int batch, const Scorer& /*unasked*/, int round) {
  std::vector<Point> chosen;
  fresh_.fill(chosen, batch, history_, random_bits(seed_, 0, static_cast<std::uint64_t>(round)));
  return chosen;
}

}  // namespace hone::search
