#include "search/guided.h"

#include <algorithm>

#include "search/batch.h"

namespace hone::search {
namespace {

// After all phases of exploring.
constexpr int kLastPhase = -1;    // filling up
constexpr int kSamplePhase = -2;  // samples beside what was explored

constexpr int kCentres = 2;  // fastest points whose neighbours are looked at

}  // namespace

std::uint64_t Guided::seed_of(int round, int phase) const {
  return random_bits(options_.seed, static_cast<std::uint64_t>(round),
                     static_cast<std::uint64_t>(phase));
}

Random Guided::random(int round, int phase, int slot) const {
  return {seed_of(round, phase), static_cast<std::uint64_t>(slot)};
}

std::vector<Point> Guided::fastest(int n) const {
  std::vector<Point> out;
  for (const Trial& trial : history_.fastest()) {
    if (static_cast<int>(out.size()) == n) break;
    out.push_back(trial.point);
  }
  return out;
}

// A share as a whole number: over many rounds it is right on average, also in small batches.
int Guided::part_of(int batch, double share, int round, int phase) const {
  return static_cast<int>(batch * share + random(round, phase, 0).unit());
}

// What the model likes best right beside the fastest measured points. It may be wrong about which part
// of the domain is the fastest; next to a point that was measured it can be less wrong.
std::vector<Point> Guided::beside_fastest(int n, Pool& pool, const Scorer& scorer) const {
  std::vector<Point> unseen;
  for (const Point& centre : fastest(kCentres)) {
    for (Point& point : domain_.neighbours(centre)) {
      if (!history_.seen().contains(point)) unseen.push_back(std::move(point));
    }
  }
  std::vector<int> places = pool.add(std::move(unseen), scorer);
  std::ranges::sort(places);
  const auto repeated = std::ranges::unique(places);
  places.erase(repeated.begin(), repeated.end());
  sort_by_score(places, pool);
  places.resize(std::min(places.size(), static_cast<std::size_t>(n)));
  std::vector<Point> out;
  for (const int place : places) out.push_back(pool[place].point);
  return out;
}

// Each the best of samples of its own.
std::vector<Point> Guided::best_samples(int n, const Scorer& scorer, int round) const {
  std::vector<Point> out;
  for (int slot = 1; slot <= n; ++slot) {
    Random draws = random(round, kSamplePhase, slot);
    std::vector<Point> unseen;
    for (int i = 0; i < options_.samples_each; ++i) {
      std::optional<Point> point = domain_.sample(draws);
      const bool is_new =
          point && !history_.seen().contains(*point) && std::ranges::find(out, *point) == out.end();
      if (is_new) unseen.push_back(std::move(*point));
    }
    Pool pool;
    std::vector<int> places = pool.add(std::move(unseen), scorer);
    sort_by_score(places, pool);
    if (!places.empty()) out.push_back(pool[places.front()].point);
  }
  return out;
}

std::vector<Point> Guided::next(int batch, const Scorer& scorer, int round) {
  Pool pool;
  explore(pool, scorer, round);
  std::optional<double> best;
  if (const std::vector<Point> fastest_one = fastest(1); !fastest_one.empty())
    best = pool[pool.add(fastest_one, scorer).front()].prediction.score;
  std::vector<Point> chosen;
  const auto left = [&] { return batch - static_cast<int>(chosen.size()); };
  const auto propose = [&](std::vector<Point> points) {
    for (Point& point : points) {
      history_.propose(point);
      chosen.push_back(std::move(point));
    }
  };
  propose(beside_fastest(static_cast<int>(batch * options_.local_share), pool, scorer));
  const int n_random = std::min(left(), part_of(batch, options_.random_share, round, kLastPhase));
  const int n_sampled =
      std::min(left() - n_random, part_of(batch, options_.sampled_share, round, kSamplePhase));
  const int n_liked = left() - n_random - n_sampled;
  propose(choose_batch(pool, history_.seen(), n_liked, best, options_, round));
  propose(best_samples(n_sampled, scorer, round));
  fresh_.fill(chosen, batch, history_, seed_of(round, kLastPhase));
  return chosen;
}

}  // namespace hone::search
