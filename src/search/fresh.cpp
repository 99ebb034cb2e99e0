#include "search/fresh.h"

namespace hone::search {
namespace {

// When half of the domain is seen, this many draws miss the other half once in a million.
constexpr int kDraws = 20;

}  // namespace

std::optional<Point> Fresh::next(const Seen& seen, Random& random) {
  for (int i = 0; i < kDraws; ++i) {
    std::optional<Point> point = domain_.sample(random);
    if (point && !seen.contains(*point)) return point;
  }
  for (; n_expanded_ < seen.in_order().size(); ++n_expanded_) {
    for (Point& neighbour : domain_.neighbours(seen.in_order()[n_expanded_])) {
      if (!seen.contains(neighbour)) return std::move(neighbour);
    }
  }
  return std::nullopt;
}

void Fresh::fill(std::vector<Point>& batch, int size, History& history, std::uint64_t seed) {
  while (static_cast<int>(batch.size()) < size) {
    Random draws(seed, batch.size() + 1);
    std::optional<Point> point = next(history.seen(), draws);
    if (!point) return;
    history.propose(*point);
    batch.push_back(std::move(*point));
  }
}

}  // namespace hone::search
