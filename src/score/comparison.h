// Several scorers, each of several seeds, judged side by side with intervals.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "score/judge.h"

namespace hone::score {

// A kind of scorer: its seeds differ by chance alone.
struct Contestant {
  std::string name;
  std::vector<std::vector<Verdict>> seeds;  // each one a task
};

struct Estimate {
  double value = 0;           // mean over the seeds
  double low = 0, high = 0;   // where 95 % of the draws of tasks lie
  double seed_deviation = 0;  // standard, between seeds; 0 with one
};

struct Standing {
  std::string name;
  std::size_t n_seeds = 0;
  std::vector<Estimate> estimates;  // one a metric
  // Against the best contestant in the same metric: the 95 % interval of the difference, over the same
  // draws of tasks for both. One that contains 0 says that the two cannot be told apart.
  std::vector<Estimate> behind_best;
};

struct CompareOptions {
  int draws = 1000;
  std::uint64_t seed = 1;
};

// Where the contestants stand on the tasks of `part` (numbers among the judged ones). Tasks are drawn
// anew with replacement, which shows how much the standing hangs on the choice of tasks.
std::vector<Standing> compare(const Judge& judge, std::span<const Contestant> contestants,
                              std::span<const std::size_t> part, const CompareOptions& options = {});

// Whether the interval leaves open which of the two is better.
constexpr bool contains_zero(const Estimate& difference) {
  return difference.low <= 0 && difference.high >= 0;
}

}  // namespace hone::score
