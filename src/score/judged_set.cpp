#include "score/judged_set.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/error.h"

namespace hone::score {
namespace {

// Gives every program a time; nothing when all of them failed.
std::optional<JudgedTask> judged(JudgedTask task, std::span<const double> seconds) {
  double best_s = INFINITY;
  for (const std::uint32_t program : task.programs) best_s = std::fmin(best_s, seconds[program]);
  if (!std::isfinite(best_s)) return std::nullopt;
  check(best_s > 0, "a measured time is positive");
  task.best_s = best_s;
  for (const std::uint32_t program : task.programs)
    task.times.push_back(std::fmin(seconds[program], kSlowest * best_s));
  return task;
}

}  // namespace

std::vector<double> JudgedTask::own(std::span<const double> all_scores) const {
  std::vector<double> scores;
  scores.reserve(programs.size());
  for (const std::uint32_t program : programs) scores.push_back(all_scores[program]);
  return scores;
}

JudgedSet judged_set(std::span<const std::uint32_t> task_of, std::span<const double> seconds,
                     std::span<const std::uint32_t> wanted) {
  check(task_of.size() == seconds.size(), "a time for each program");
  std::map<std::uint32_t, JudgedTask> by_number;
  for (const std::uint32_t number : wanted) by_number[number].number = number;
  for (std::uint32_t program = 0; program < task_of.size(); ++program) {
    if (const auto found = by_number.find(task_of[program]); found != by_number.end())
      found->second.programs.push_back(program);
  }
  JudgedSet set;
  JudgedNetwork all;
  for (auto& [number, task] : by_number) {
    if (std::optional<JudgedTask> one = judged(std::move(task), seconds)) {
      all.uses.push_back({.task = set.tasks.size()});
      set.tasks.push_back(std::move(*one));
    } else {
      set.without_answer.push_back(number);
    }
  }
  set.networks.push_back(std::move(all));
  return set;
}

}  // namespace hone::score
