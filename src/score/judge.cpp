#include "score/judge.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "score/metrics.h"

namespace hone::score {
namespace {

constexpr std::array kWithK = {Family::Pooled, Family::Networks, Family::Tasks, Family::Gap,
                               Family::Recall};
constexpr std::array kWithoutK = {Family::FarOff, Family::Pairwise, Family::Rank};

Verdict verdict(std::span<const double> scores, const JudgedTask& task, std::span<const int> ks) {
  Verdict out;
  for (const int k : ks) {
    out.picked_s.push_back(picked_time(scores, task.times, k));
    out.ratio.push_back(top_k(scores, task.times, k));
    out.recall.push_back(recall(scores, task.times, k));
  }
  for (const int goal : kGoals) out.trials.push_back(trials_to(scores, task.times, goal / 100.0));
  out.far_off = far_off(scores, task.times, kFarOff);
  out.pairwise = pairwise_accuracy(scores, task.times);
  out.rank = rank_correlation(scores, task.times);
  return out;
}

// Best over picked time of one network's tasks, as two sums.
struct Sums {
  double best_s = 0, picked_s = 0;

  void add(const Sums& other) {
    best_s += other.best_s;
    picked_s += other.picked_s;
  }
  double ratio() const { return best_s / picked_s; }
};

Sums sums_of(const JudgedNetwork& network, const JudgedSet& set, std::span<const Verdict> verdicts,
             std::span<const double> counts, std::size_t k) {
  Sums sums;
  for (const JudgedNetwork::Use& use : network.uses) {
    const double weight = use.weight * counts[use.task];
    sums.add({weight * set.tasks[use.task].best_s, weight * verdicts[use.task].picked_s[k]});
  }
  return sums;
}

double pooled(const JudgedSet& set, std::span<const Verdict> verdicts, std::span<const double> counts,
              std::size_t k) {
  Sums all;
  for (const JudgedNetwork& network : set.networks) all.add(sums_of(network, set, verdicts, counts, k));
  return all.ratio();
}

// A network none of whose tasks counts says nothing.
double mean_of_networks(const JudgedSet& set, std::span<const Verdict> verdicts,
                        std::span<const double> counts, std::size_t k) {
  double sum = 0, n = 0;
  for (const JudgedNetwork& network : set.networks) {
    const Sums sums = sums_of(network, set, verdicts, counts, k);
    if (sums.picked_s == 0) continue;
    sum += sums.ratio();
    n += 1;
  }
  return sum / n;
}

template <class Value>
double mean(std::span<const Verdict> verdicts, std::span<const double> counts, const Value& value) {
  double sum = 0, n = 0;
  for (std::size_t task = 0; task < counts.size(); ++task) {
    sum += counts[task] * value(verdicts[task]);
    n += counts[task];
  }
  return sum / n;
}

template <class Numbers>
std::size_t place_in(const Numbers& numbers, int number) {
  return static_cast<std::size_t>(std::ranges::find(numbers, number) - numbers.begin());
}

}  // namespace

Judge::Judge(JudgedSet set, std::vector<int> ks) : set_(std::move(set)), ks_(std::move(ks)) {
  check(!set_.tasks.empty() && !set_.networks.empty() && !ks_.empty(),
        "there is something to judge on");
  for (const Family family : kWithK) {
    for (const int k : ks_) metrics_.push_back({family, k});
  }
  for (const Family family : kWithoutK) metrics_.push_back({family, 0});
  for (const int goal : kGoals) metrics_.push_back({Family::Trials, goal});
  for (const JudgedTask& task : set_.tasks)
    floor_.push_back(verdict(std::vector<double>(task.times.size()), task, ks_));
}

std::vector<Verdict> Judge::judge(std::span<const double> all_scores) const {
  std::vector<Verdict> out;
  out.reserve(set_.tasks.size());
  for (const JudgedTask& task : set_.tasks) out.push_back(verdict(task.own(all_scores), task, ks_));
  return out;
}

std::vector<double> Judge::summarise(std::span<const Verdict> verdicts,
                                     std::span<const double> counts) const {
  check(verdicts.size() == set_.tasks.size() && counts.size() == verdicts.size(),
        "a verdict and a count for each task");
  std::vector<double> out;
  for (const Metric& metric : metrics_) out.push_back(value_of(metric, verdicts, counts));
  return out;
}

double Judge::value_of(const Metric& metric, std::span<const Verdict> verdicts,
                       std::span<const double> counts) const {
  const std::size_t k = place_in(ks_, metric.k);
  const auto ratio = [&](const Verdict& verdict) { return verdict.ratio[k]; };
  switch (metric.family) {
    case Family::Pooled:
      return pooled(set_, verdicts, counts, k);
    case Family::Networks:
      return mean_of_networks(set_, verdicts, counts, k);
    case Family::Tasks:
      return mean(verdicts, counts, ratio);
    case Family::Gap: {
      const double floor = mean(floor_, counts, ratio);
      return floor < 1 ? (mean(verdicts, counts, ratio) - floor) / (1 - floor) : 1;
    }
    case Family::Recall:
      return mean(verdicts, counts, [&](const Verdict& verdict) { return verdict.recall[k]; });
    case Family::FarOff:
      return std::accumulate(counts.begin(), counts.end(), 0.0) *
             mean(verdicts, counts, [](const Verdict& verdict) { return verdict.far_off; });
    case Family::Pairwise:
      return mean(verdicts, counts, [](const Verdict& verdict) { return verdict.pairwise; });
    case Family::Rank:
      return mean(verdicts, counts, [](const Verdict& verdict) { return verdict.rank; });
    case Family::Trials: {
      const std::size_t goal = place_in(kGoals, metric.k);
      const auto log = [&](const Verdict& verdict) { return std::log(verdict.trials[goal]); };
      return std::exp(mean(verdicts, counts, log));
    }
  }
  fail("there is no such metric");
}

}  // namespace hone::score
