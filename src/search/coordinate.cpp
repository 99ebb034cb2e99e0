#include "search/coordinate.h"

#include <algorithm>

#include "search/pool.h"

namespace hone::search {
namespace {

// The first entry in which two points differ; a neighbour with other entries besides changed this one
// and what depends on it.
std::size_t changed_entry(const Point& from, const Point& to) {
  return static_cast<std::size_t>(std::ranges::mismatch(from, to).in1 - from.begin());
}

}  // namespace

// Ordered by coordinate, beginning with the one whose turn it is, then by score.
std::vector<Point> CoordinateDescent::unseen_neighbours(const Scorer& scorer) {
  std::vector<Point> unseen;
  for (Point& point : domain_.neighbours(centre_->point)) {
    if (!history_.seen().contains(point)) unseen.push_back(std::move(point));
  }
  Pool pool;
  std::vector<int> places = pool.add(std::move(unseen), scorer);
  sort_by_score(places, pool);
  const std::size_t n = centre_->point.size() + 1;
  std::ranges::stable_sort(places, {}, [&](int place) {
    return (changed_entry(centre_->point, pool[place].point) + n - coordinate_) % n;
  });
  std::vector<Point> out;
  for (const int place : places) out.push_back(pool[place].point);
  return out;
}

void CoordinateDescent::fill_up(std::vector<Point>& chosen, int batch, int round) {
  const std::uint64_t seed = random_bits(seed_, 0, static_cast<std::uint64_t>(round));
  for (std::uint64_t slot = 0; static_cast<int>(chosen.size()) < batch; ++slot) {
    Random draws(seed, slot);
    std::optional<Point> point = fresh_.next(history_.seen(), draws);
    if (!point) return;
    history_.propose(*point);
    chosen.push_back(std::move(*point));
  }
}

std::vector<Point> CoordinateDescent::next(int batch, const Scorer& scorer, int round) {
  std::vector<Point> chosen;
  if (centre_) {
    for (Point& point : unseen_neighbours(scorer)) {
      if (static_cast<int>(chosen.size()) == batch) break;
      coordinate_ = changed_entry(centre_->point, point);
      history_.propose(point);
      chosen.push_back(std::move(point));
    }
    if (chosen.empty()) centre_.reset();
  }
  fill_up(chosen, batch, round);
  return chosen;
}

void CoordinateDescent::tell(std::span<const Trial> trials) {
  history_.tell(trials);
  for (const Trial& trial : trials) {
    if (trial.time && (!centre_ || *trial.time < *centre_->time)) centre_ = trial;
  }
}

}  // namespace hone::search
