#include "score/metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/error.h"

namespace hone::score {
namespace {

// Indices with the highest value first.
std::vector<std::size_t> descending(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return values[i]; });
  return order;
}

// Where the run of equal values that begins at `from` ends.
std::size_t end_of_ties(std::span<const double> values, const std::vector<std::size_t>& order,
                        std::size_t from) {
  std::size_t to = from + 1;
  while (to < order.size() && values[order[to]] == values[order[from]]) ++to;
  return to;
}

// Ranks from the highest value, equals sharing their mean rank.
std::vector<double> ranks(std::span<const double> values) {
  const std::vector<std::size_t> order = descending(values);
  std::vector<double> out(values.size());
  for (std::size_t from = 0; from < order.size();) {
    const std::size_t to = end_of_ties(values, order, from);
    for (std::size_t i = from; i < to; ++i) out[order[i]] = static_cast<double>(from + to - 1) / 2;
    from = to;
  }
  return out;
}

// The mean of best / min(known, fastest of n drawn from `times`): the i-th fastest is the minimum when
// it is drawn and none of the faster ones is.
double mean_of_draw(std::vector<double> times, int n, double known, double best) {
  std::ranges::sort(times);
  const double size = static_cast<double>(times.size());
  double none_before = 1;  // probability that no faster one was drawn
  double mean = 0;
  for (std::size_t i = 0; i < times.size() && none_before > 0; ++i) {
    const double left = size - static_cast<double>(i);
    const double drawn_here = std::min(1.0, n / left);
    mean += none_before * drawn_here * best / std::min(known, times[i]);
    none_before *= 1 - drawn_here;
  }
  return mean;
}

}  // namespace

double top_k(std::span<const double> scores, std::span<const double> times, int k) {
  check(scores.size() == times.size() && !times.empty() && k > 0, "a score for each of some times");
  const std::vector<std::size_t> order = descending(scores);
  const double best = std::ranges::min(times);
  double known = INFINITY;
  std::size_t from = 0;
  std::size_t left = std::min(static_cast<std::size_t>(k), order.size());
  while (true) {
    const std::size_t to = end_of_ties(scores, order, from);
    std::vector<double> tied;
    for (std::size_t i = from; i < to; ++i) tied.push_back(times[order[i]]);
    if (tied.size() >= left) return mean_of_draw(std::move(tied), static_cast<int>(left), known, best);
    known = std::min(known, std::ranges::min(tied));
    left -= tied.size();
    from = to;
  }
}

double pairwise_accuracy(std::span<const double> scores, std::span<const double> times) {
  check(scores.size() == times.size(), "a score for each time");
  double right = 0;
  double pairs = 0;
  for (std::size_t a = 0; a < times.size(); ++a) {
    for (std::size_t b = 0; b < times.size(); ++b) {
      if (times[a] >= times[b]) continue;
      pairs += 1;
      right += scores[a] > scores[b] ? 1 : scores[a] == scores[b] ? 0.5 : 0;
    }
  }
  return pairs == 0 ? 0.5 : right / pairs;
}

double rank_correlation(std::span<const double> scores, std::span<const double> times) {
  check(scores.size() == times.size(), "a score for each time");
  const std::vector<double> by_score = ranks(scores);
  const std::vector<double> by_time = ranks(times);
  const double mean = (static_cast<double>(times.size()) - 1) / 2;
  double both = 0;
  double score_squares = 0;
  double time_squares = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    both += (by_score[i] - mean) * (by_time[i] - mean);
    score_squares += (by_score[i] - mean) * (by_score[i] - mean);
    time_squares += (by_time[i] - mean) * (by_time[i] - mean);
  }
  if (score_squares == 0 || time_squares == 0) return 0;
  return -both / std::sqrt(score_squares * time_squares);  // speed falls as time grows
}

double rmse(std::span<const double> predicted, std::span<const double> actual) {
  check(predicted.size() == actual.size() && !actual.empty(), "a prediction for each of some values");
  double squares = 0;
  for (std::size_t i = 0; i < actual.size(); ++i)
    squares += (predicted[i] - actual[i]) * (predicted[i] - actual[i]);
  return std::sqrt(squares / static_cast<double>(actual.size()));
}

}  // namespace hone::score
