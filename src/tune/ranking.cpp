#include "tune/ranking.h"

#include <cmath>

#include "score/metrics.h"

namespace hone::tune {

Ranking ranking_of(std::span<const Trial> trials) {
  std::vector<double> scores, times;
  for (const Trial& trial : trials) {
    if (!trial.is_ok() || std::isnan(trial.candidate.score)) continue;
    scores.push_back(trial.candidate.score);
    times.push_back(trial.best_s());
  }
  if (scores.size() < 2) return {};
  return {score::rank_correlation(scores, times), score::top_k(scores, times, 1)};
}

}  // namespace hone::tune
