#include "tune/ranking.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hone::tune {
namespace {

struct Scored {
  std::vector<double> scores, speeds;
};

Scored scored(std::span<const Trial> trials) {
  Scored both;
  for (const Trial& trial : trials) {
    if (!trial.is_ok() || std::isnan(trial.candidate.score)) continue;
    both.scores.push_back(trial.candidate.score);
    both.speeds.push_back(1 / trial.best_s());
  }
  return both;
}

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](auto a, auto b) { return values[a] < values[b]; });
  std::vector<double> result(values.size());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double shared = static_cast<double>(begin + end - 1) / 2;
    for (std::size_t i = begin; i < end; ++i) result[order[i]] = shared;
  }
  return result;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n;
  const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : record::kNone;
}

}  // namespace

double rank_correlation(std::span<const Trial> trials) {
  const Scored both = scored(trials);
  return both.scores.size() < 2 ? record::kNone : correlation(ranks(both.scores), ranks(both.speeds));
}

double top1(std::span<const Trial> trials) {
  const Scored both = scored(trials);
  if (both.scores.empty()) return record::kNone;
  const auto chosen = std::ranges::max_element(both.scores) - both.scores.begin();
  return both.speeds[static_cast<std::size_t>(chosen)] / *std::ranges::max_element(both.speeds);
}

}  // namespace hone::tune
