// What scores are judged on: the programs of some tasks with their times, and the networks those are
// of.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hone::score {

// A failed program, and any that is slower still, counts as so many times slower than the best of its
// task: a score is never lost on one program alone (TLP floors labels at 1e-5).
inline constexpr double kSlowest = 1e5;

struct JudgedTask {
  std::uint32_t number = 0;             // in the set
  std::vector<std::uint32_t> programs;  // likewise
  std::vector<double> times;            // of each, in seconds
  double best_s = 0;

  // What a scorer says of its programs, out of the scores of the whole set.
  std::vector<double> own(std::span<const double> all_scores) const;
};

struct JudgedNetwork {
  struct Use {
    std::size_t task = 0;  // among the judged tasks
    double weight = 1;     // how often a run of the network does it
  };
  std::string name;
  std::vector<Use> uses;
};

struct JudgedSet {
  std::vector<JudgedTask> tasks;
  std::vector<JudgedNetwork> networks;
  std::vector<std::uint32_t> without_answer;  // tasks all of whose programs failed: they are left out
};

// Of the tasks numbered `wanted`; `task_of` and `seconds` tell of each program of the set (NaN: it
// failed). Networks are to be added by whoever knows them; until then all tasks count once.
JudgedSet judged_set(std::span<const std::uint32_t> task_of, std::span<const double> seconds,
                     std::span<const std::uint32_t> wanted);

}  // namespace hone::score
