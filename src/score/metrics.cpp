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

// The mean of value(fastest of `known` and n drawn from `times`): the i-th fastest is the minimum when
// it is drawn and none of the faster ones is.
template <class Value>
double mean_of_draw(std::vector<double> times, int n, double known, const Value& value) {
  std::ranges::sort(times);
  const double size = static_cast<double>(times.size());
  double none_before = 1;  // probability that no faster one was drawn
  double mean = 0;
  for (std::size_t i = 0; i < times.size() && none_before > 0; ++i) {
    const double left = size - static_cast<double>(i);
    const double drawn_here = std::min(1.0, n / left);
    mean += none_before * drawn_here * value(std::min(known, times[i]));
    none_before *= 1 - drawn_here;
  }
  return mean;
}

// The mean of value(best time among the k highest scores).
template <class Value>
double mean_of_best(std::span<const double> scores, std::span<const double> times, int k,
                    const Value& value) {
  check(scores.size() == times.size() && !times.empty() && k > 0, "a score for each of some times");
  const std::vector<std::size_t> order = descending(scores);
  double known = INFINITY;
  std::size_t from = 0;
  std::size_t left = std::min(static_cast<std::size_t>(k), order.size());
  while (true) {
    const std::size_t to = end_of_ties(scores, order, from);
    std::vector<double> tied;
    for (std::size_t i = from; i < to; ++i) tied.push_back(times[order[i]]);
    if (tied.size() >= left) return mean_of_draw(std::move(tied), static_cast<int>(left), known, value);
    known = std::min(known, std::ranges::min(tied));
    left -= tied.size();
    from = to;
  }
}

// How likely each is among the k highest.
std::vector<double> membership(std::span<const double> values, std::size_t k) {
  const std::vector<std::size_t> order = descending(values);
  std::vector<double> out(values.size());
  for (std::size_t from = 0; from < std::min(k, order.size());) {
    const std::size_t to = end_of_ties(values, order, from);
    const double share = std::min(1.0, static_cast<double>(k - from) / static_cast<double>(to - from));
    for (std::size_t i = from; i < to; ++i) out[order[i]] = share;
    from = to;
  }
  return out;
}

// How many of the places that were counted lie below one, in logarithmic time (a Fenwick tree).
class PlaceCounts {
 public:
  explicit PlaceCounts(std::size_t places) : sums_(places + 1) {}

  void add(std::size_t place) {
    for (std::size_t i = place + 1; i < sums_.size(); i += i & (~i + 1)) sums_[i] += 1;
  }
  double below(std::size_t place) const {
    double sum = 0;
    for (std::size_t i = place; i > 0; i -= i & (~i + 1)) sum += sums_[i];
    return sum;
  }

 private:
  std::vector<double> sums_;
};

}  // namespace

double top_k(std::span<const double> scores, std::span<const double> times, int k) {
  const double best = std::ranges::min(times);
  return mean_of_best(scores, times, k, [&](double time) { return best / time; });
}

double picked_time(std::span<const double> scores, std::span<const double> times, int k) {
  return mean_of_best(scores, times, k, [](double time) { return time; });
}

double far_off(std::span<const double> scores, std::span<const double> times, double factor) {
  const double limit = factor * std::ranges::min(times);
  return mean_of_best(scores, times, 1, [&](double time) { return time > limit ? 1.0 : 0.0; });
}

double recall(std::span<const double> scores, std::span<const double> times, int k) {
  check(scores.size() == times.size() && !times.empty() && k > 0, "a score for each of some times");
  const std::size_t count = std::min(static_cast<std::size_t>(k), times.size());
  std::vector<double> speeds(times.size());
  std::ranges::transform(times, speeds.begin(), [](double time) { return 1 / time; });
  const std::vector<double> picked = membership(scores, count);
  const std::vector<double> wanted = membership(speeds, count);
  return std::inner_product(picked.begin(), picked.end(), wanted.begin(), 0.0) /
         static_cast<double>(count);
}

double trials_to(std::span<const double> scores, std::span<const double> times, double share) {
  check(scores.size() == times.size() && !times.empty(), "a score for each of some times");
  const std::vector<std::size_t> order = descending(scores);
  const double goal = std::ranges::min(times) / share;
  for (std::size_t from = 0;;) {
    const std::size_t to = end_of_ties(scores, order, from);
    std::size_t good = 0;
    for (std::size_t i = from; i < to; ++i) good += times[order[i]] <= goal ? 1 : 0;
    // Of so many in a random order, the first good one stands on the mean at this place.
    if (good > 0)
      return static_cast<double>(from) +
             static_cast<double>(to - from + 1) / static_cast<double>(good + 1);
    from = to;
  }
}

// Programs are taken from the fastest on; each asks how many of the faster ones have higher scores.
double pairwise_accuracy(std::span<const double> scores, std::span<const double> times) {
  check(scores.size() == times.size(), "a score for each time");
  std::vector<std::size_t> order = descending(scores);
  std::vector<std::size_t> first(scores.size()), last(scores.size());  // places of equal scores
  for (std::size_t from = 0; from < order.size();) {
    const std::size_t to = end_of_ties(scores, order, from);
    for (std::size_t i = from; i < to; ++i) {
      first[order[i]] = from;
      last[order[i]] = to;
    }
    from = to;
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return times[i]; });
  PlaceCounts faster(scores.size());
  double right = 0, pairs = 0;
  for (std::size_t from = 0; from < order.size();) {
    const std::size_t to = end_of_ties(times, order, from);
    for (std::size_t i = from; i < to; ++i) {
      const double higher = faster.below(first[order[i]]);
      right += higher + (faster.below(last[order[i]]) - higher) / 2;
      pairs += static_cast<double>(from);
    }
    for (std::size_t i = from; i < to; ++i) faster.add(first[order[i]]);
    from = to;
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
