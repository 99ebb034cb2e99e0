#include "search/batch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace hone::search {
namespace {

struct Contender {
  const Scored* scored;
  double worth;
  double difference = 1;  // from the most alike chosen point, as a share of the entries
};

// Only the front is looked at in detail; the others cannot catch up by being different. It is deep
// enough to reach beyond a plateau of candidates that differ in what does not matter.
constexpr int kContendersEach = 32;

double difference(const Point& a, const Point& b) {
  if (a.size() != b.size()) return 1;
  int n_different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) n_different += a[i] != b[i];
  return static_cast<double>(n_different) / std::max<double>(1, static_cast<double>(a.size()));
}

// The worths in units of their own standard deviation.
void standardise(std::vector<double>& worths) {
  const double n = static_cast<double>(worths.size());
  const double mean = std::accumulate(worths.begin(), worths.end(), 0.0) / n;
  double squares = 0;
  for (const double worth : worths) squares += (worth - mean) * (worth - mean);
  const double deviation = std::sqrt(squares / n);
  if (deviation == 0) return;
  for (double& worth : worths) worth /= deviation;
}

std::vector<Contender> contenders(const Pool& pool, const Seen& seen, std::optional<double> best,
                                  const Options& options, int round) {
  std::vector<Contender> out;
  std::vector<const Prediction*> predictions;
  for (const Scored& scored : pool.scored()) {
    if (seen.contains(scored.point)) continue;
    out.push_back({&scored, 0});
    predictions.push_back(&scored.prediction);
  }
  constexpr std::uint64_t kStream = 0xba7c4;  // apart from the streams that make points
  const std::uint64_t seed = random_bits(options.seed, kStream, static_cast<std::uint64_t>(round));
  std::vector<double> worth = worths(options.acquisition, predictions, best, seed);
  if (!worth.empty()) standardise(worth);
  for (std::size_t i = 0; i < out.size(); ++i) out[i].worth = worth[i];
  std::ranges::stable_sort(out, std::ranges::greater{}, &Contender::worth);
  return out;
}

}  // namespace

std::vector<Point> choose_batch(const Pool& pool, const Seen& seen, int n, std::optional<double> best,
                                const Options& options, int round) {
  std::vector<Contender> left = contenders(pool, seen, best, options, round);
  const std::size_t front = static_cast<std::size_t>(n) * kContendersEach;
  if (left.size() > front) left.erase(left.begin() + static_cast<std::ptrdiff_t>(front), left.end());
  std::vector<Point> chosen;
  while (!left.empty() && static_cast<int>(chosen.size()) < n) {
    const auto next = std::ranges::max_element(left, {}, [&](const Contender& contender) {
      return contender.worth + options.diversity * contender.difference;
    });
    chosen.push_back(next->scored->point);
    left.erase(next);
    for (Contender& contender : left)
      contender.difference =
          std::min(contender.difference, difference(contender.scored->point, chosen.back()));
  }
  return chosen;
}

}  // namespace hone::search
