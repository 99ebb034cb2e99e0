// The metrics of a scorer on a set of tasks, by the definitions of docs/judging.md.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "score/judged_set.h"

namespace hone::score {

inline constexpr double kFarOff = 5;  // times slower than the best: a first pick that is lost
inline constexpr std::array kGoals = {90, 95, 99};  // percent of the best speed

// What is said of one task.
struct Verdict {
  // One a k.
  std::vector<double> picked_s;  // best time among the first k
  std::vector<double> ratio;     // best time over that
  std::vector<double> recall;    // share of the k fastest among the first k
  std::vector<double> trials;    // one a share of kGoals, until a program reaches it
  double far_off = 0;            // how likely the first pick is lost
  double pairwise = 0, rank = 0;
};

enum class Family : std::uint8_t {
  Pooled,    // top-k of all networks as one sum of times (TLP)
  Networks,  // mean over networks of their own top-k (TenSet)
  Tasks,     // mean over tasks of best / picked
  Gap,       // how much of the way from a random pick to 1 that is
  Recall,    // mean over tasks
  FarOff,    // number of tasks
  Pairwise,  // mean over tasks, as the next
  Rank,
  Trials,  // geometric mean over tasks of the trials to a goal, when the highest scores are tried first
};
// In the order of the enum, as tables and files name them.
inline constexpr std::array<std::string_view, 9> kFamilyNames = {
    "pooled",   "networks",         "tasks", "gap_closed", "recall", "far_off",
    "pairwise", "rank_correlation", "trials"};
constexpr std::string_view name_of(Family family) {
  return kFamilyNames[static_cast<std::size_t>(family)];
}

struct Metric {
  Family family = Family::Pooled;
  int k = 0;  // picks; of trials the goal in percent; 0: it has none

  friend bool operator==(const Metric&, const Metric&) = default;
};
// Of lost picks and trials few are good, of all others much.
constexpr bool is_better_low(Family family) {
  return family == Family::FarOff || family == Family::Trials;
}

class Judge {
 public:
  Judge(JudgedSet set, std::vector<int> ks);

  const JudgedSet& set() const { return set_; }
  const std::vector<Metric>& metrics() const { return metrics_; }

  // One a task, from the scores of every program of the set.
  std::vector<Verdict> judge(std::span<const double> all_scores) const;
  // One value a metric. `counts` says how often each task counts: a part of them, or a draw.
  std::vector<double> summarise(std::span<const Verdict> verdicts,
                                std::span<const double> counts) const;

 private:
  double value_of(const Metric& metric, std::span<const Verdict> verdicts,
                  std::span<const double> counts) const;

  const JudgedSet set_;
  const std::vector<int> ks_;
  std::vector<Metric> metrics_;
  std::vector<Verdict> floor_;  // of a random pick
};

}  // namespace hone::score
