#include "search/annealing.h"

#include <algorithm>
#include <cmath>

namespace hone::search {
namespace {

double variance(const std::vector<double>& values) {
  double sum = 0;
  double squares = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  const double n = static_cast<double>(values.size());
  return std::max(0.0, squares / n - (sum / n) * (sum / n));
}

std::vector<double> scores(const std::vector<int>& places, const Pool& pool) {
  std::vector<double> out;
  for (const int place : places) out.push_back(expected_score(pool[place].prediction));
  return out;
}

}  // namespace

void Annealing::start_chains(int round) {
  for (int slot = static_cast<int>(chains_.size()); slot < options_.chains; ++slot) {
    Random draws = random(round, 0, slot);
    if (std::optional<Point> point = domain_.sample(draws)) chains_.push_back(std::move(*point));
  }
}

void Annealing::explore(Pool& pool, const Scorer& scorer, int round) {
  start_chains(round);
  std::vector<int> at = pool.add(chains_, scorer);
  // Scores have no scale of their own; the spread among the chains gives one.
  const double scale = std::sqrt(variance(scores(at, pool)));
  for (int step = 1; step <= options_.steps && !at.empty(); ++step) {
    const double temperature = scale * (1 - static_cast<double>(step) / options_.steps);
    std::vector<Random> draws;
    std::vector<Point> moved;
    for (std::size_t slot = 0; slot < at.size(); ++slot) {
      draws.push_back(random(round, step, static_cast<int>(slot)));
      const Point& here = pool[at[slot]].point;
      moved.push_back(domain_.mutate(here, draws.back()).value_or(here));
    }
    const std::vector<int> to = pool.add(std::move(moved), scorer);
    for (std::size_t slot = 0; slot < at.size(); ++slot) {
      const double gain =
          expected_score(pool[to[slot]].prediction) - expected_score(pool[at[slot]].prediction);
      if (gain >= 0 || draws[slot].unit() < std::exp(gain / temperature)) at[slot] = to[slot];
    }
  }
  chains_.clear();
  for (const int place : at) chains_.push_back(pool[place].point);
}

}  // namespace hone::search
