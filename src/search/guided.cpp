#include "search/guided.h"

#include <algorithm>

#include "search/batch.h"

namespace hone::search {
namespace {

constexpr int kLastPhase = -1;  // filling up, after all phases of exploring

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

// The random share as a whole number: over many rounds it is right on average, also in small batches.
int Guided::random_part(int batch, int round) const {
  const double share = batch * options_.random_share + random(round, kLastPhase, 0).unit();
  return std::min(batch, static_cast<int>(share));
}

std::vector<Point> Guided::next(int batch, const Scorer& scorer, int round) {
  Pool pool;
  explore(pool, scorer, round);
  std::optional<double> best;
  if (const std::vector<Point> fastest_one = fastest(1); !fastest_one.empty())
    best = pool[pool.add(fastest_one, scorer).front()].prediction.score;
  std::vector<Point> chosen =
      choose_batch(pool, history_.seen(), batch - random_part(batch, round), best, options_, round);
  for (const Point& point : chosen) history_.propose(point);
  fresh_.fill(chosen, batch, history_, seed_of(round, kLastPhase));
  return chosen;
}

}  // namespace hone::search
