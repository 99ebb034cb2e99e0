#include "search/evolution.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <unordered_set>

namespace hone::search {
namespace {

constexpr int kTries = 10;  // a slot whose moves all fail stays empty

// How often a cross takes a node from the parent in which the model likes that node better.
constexpr double kBetterPart = 0.75;

// Density falls as the inverse square root of the rank: half of the parents come from the best quarter.
int draw_by_rank(std::size_t n, Random& random) {
  const double u = random.unit();
  return static_cast<int>(u * u * static_cast<double>(n));
}

// The places of all points.
std::vector<int> best_first(const Pool& pool) {
  std::vector<int> places(pool.scored().size());
  std::iota(places.begin(), places.end(), 0);
  sort_by_score(places, pool);
  return places;
}

FromFirst better_part_first(const Prediction& first, const Prediction& second, Random& random) {
  return [&](int node) {
    const std::size_t at = static_cast<std::size_t>(node);
    const bool known = at < first.parts.size() && at < second.parts.size();
    if (!known || first.parts[at] == second.parts[at]) return random.unit() < 0.5;
    return random.unit() < (first.parts[at] > second.parts[at] ? kBetterPart : 1 - kBetterPart);
  };
}

}  // namespace

// Later rounds start from the best that earlier ones met, and need not draw as much.
int Evolution::population_of(int round) const {
  const int early = options_.early_factor * options_.population;
  if (round == 0) return 2 * early;
  return round < options_.early_calls ? early : options_.population;
}

std::vector<Point> Evolution::first_generation(int round) const {
  const int population = population_of(round);
  std::vector<Point> points = fastest(static_cast<int>(population * options_.measured_share));
  points.insert(points.end(), elite_.begin(), elite_.end());
  for (int slot = 0; static_cast<int>(points.size()) < population && slot < population; ++slot) {
    Random draws = random(round, 0, slot);
    for (int i = 0; i < kTries; ++i) {
      std::optional<Point> point = domain_.sample(draws);
      if (!point) continue;
      points.push_back(std::move(*point));
      break;
    }
  }
  return points;
}

std::optional<Point> Evolution::child(const std::vector<int>& ranked, const Pool& pool,
                                      Random& random) const {
  const auto draw_parent = [&]() -> const Scored& {
    return pool[ranked[static_cast<std::size_t>(draw_by_rank(ranked.size(), random))]];
  };
  const Scored& first = draw_parent();
  if (random.unit() >= options_.crossover_share) return domain_.mutate(first.point, random);
  const Scored& second = draw_parent();
  return domain_.cross(first.point, second.point,
                       better_part_first(first.prediction, second.prediction, random), random);
}

std::vector<Point> Evolution::children(std::vector<int> parents, const Pool& pool, int round,
                                       int generation) const {
  sort_by_score(parents, pool);
  std::vector<Point> points;
  const int population = population_of(round);
  for (int slot = 0; slot < population && !parents.empty(); ++slot) {
    Random draws = random(round, generation, slot);
    for (int i = 0; i < kTries; ++i) {
      std::optional<Point> point = child(parents, pool, draws);
      if (!point) continue;
      points.push_back(std::move(*point));
      break;
    }
  }
  return points;
}

void Evolution::keep_elite(const Pool& pool) {
  elite_.clear();
  const double n = options_.population * options_.measured_share;
  for (const int place : best_first(pool)) {
    if (static_cast<double>(elite_.size()) >= n) break;
    if (!history_.seen().contains(pool[place].point)) elite_.push_back(pool[place].point);
  }
}

// Mutation finds the last improvements by luck; all neighbours of the best points are few. Points that
// the model says the same of are one summit.
void Evolution::climb(Pool& pool, const Scorer& scorer) const {
  std::unordered_set<double> climbed;
  for (int step = 0; step < options_.climbs; ++step) {
    std::vector<Point> beside;
    int n_climbers = 0;
    for (const int place : best_first(pool)) {
      if (n_climbers == options_.climbers) break;
      if (!climbed.insert(pool[place].prediction.score).second) continue;
      ++n_climbers;
      std::ranges::move(domain_.neighbours(pool[place].point), std::back_inserter(beside));
    }
    pool.add(std::move(beside), scorer);
  }
}

void Evolution::explore(Pool& pool, const Scorer& scorer, int round) {
  std::vector<int> generation = pool.add(first_generation(round), scorer);
  for (int number = 1; number <= options_.generations; ++number)
    generation = pool.add(children(std::move(generation), pool, round, number), scorer);
  climb(pool, scorer);
  keep_elite(pool);
}

}  // namespace hone::search
