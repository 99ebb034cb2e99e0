#include "search/random_search.h"

namespace hone::search {

std::vector<Point> RandomSearch::next(int batch, const Scorer& /*unasked*/, int round) {
  std::vector<Point> chosen;
  const std::uint64_t seed = random_bits(seed_, 0, static_cast<std::uint64_t>(round));
  for (int slot = 0; slot < batch; ++slot) {
    Random draws(seed, static_cast<std::uint64_t>(slot));
    std::optional<Point> point = fresh_.next(history_.seen(), draws);
    if (!point) break;
    history_.propose(*point);
    chosen.push_back(std::move(*point));
  }
  return chosen;
}

}  // namespace hone::search
