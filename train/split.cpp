#include "train/split.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/error.h"
#include "base/random.h"

namespace hone::train {

std::vector<TaskIds> deal_folds(const DataSet& set, const TaskIds& tasks, std::size_t n_folds,
                                std::uint64_t seed) {
  std::map<std::string, TaskIds> by_structure;
  for (const std::uint32_t task : tasks) by_structure[set.tasks[task].structure].push_back(task);
  std::vector<TaskIds> groups;
  for (auto& [structure, members] : by_structure) groups.push_back(std::move(members));

  constexpr std::uint64_t kStream = 1;
  Random random(seed, kStream);
  for (std::size_t left = groups.size(); left > 1; --left)
    std::swap(groups[left - 1], groups[random.below(static_cast<std::int64_t>(left))]);

  std::vector<TaskIds> folds(n_folds);
  for (const TaskIds& group : groups) {
    TaskIds& smallest = *std::ranges::min_element(folds, {}, &TaskIds::size);
    smallest.insert(smallest.end(), group.begin(), group.end());
  }
  return folds;
}

Split split_tasks(const DataSet& set, Fold left_out, double validation_share, std::uint64_t seed) {
  TaskIds tasks;
  for (std::uint32_t task = 0; task < set.tasks.size(); ++task)
    if (set.tasks[task].best_s > 0) tasks.push_back(task);
  if (left_out.of > 0) {
    constexpr std::uint64_t kFoldSeed = 0;
    const std::vector<TaskIds> folds = deal_folds(set, tasks, left_out.of, kFoldSeed);
    const TaskIds& gone = folds.at(left_out.number);
    std::erase_if(tasks, [&](std::uint32_t task) { return std::ranges::count(gone, task) > 0; });
  }
  Split split;
  if (validation_share > 0) {
    const auto n_folds = static_cast<std::size_t>(std::max(2L, std::lround(1 / validation_share)));
    std::vector<TaskIds> folds = deal_folds(set, tasks, n_folds, seed + 1);
    split.validation = std::move(folds.back());
    folds.pop_back();
    for (const TaskIds& fold : folds)
      split.training.insert(split.training.end(), fold.begin(), fold.end());
  } else {
    split.training = tasks;
  }
  std::ranges::sort(split.training);
  std::ranges::sort(split.validation);
  if (split.training.empty())
    throw UserError("the set has no task to learn from",
                    "it needs tasks with programs, and of two structures when some are held out");
  return split;
}

}  // namespace hone::train
