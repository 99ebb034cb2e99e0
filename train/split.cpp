#include "train/split.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/error.h"
#include "base/nearest.h"
#include "base/shuffle.h"

namespace hone::train {
namespace {

// Tasks that stay together, and how many of them count.
struct Group {
  TaskIds tasks;
  std::size_t size = 0;
};
using Groups = std::map<std::string, Group>;

// Every group, in random order, to the fold that is smallest by then.
void deal(const Groups& by_name, Random& random, std::vector<Group>& folds) {
  std::vector<const Group*> groups;
  for (const auto& [name, group] : by_name) groups.push_back(&group);
  shuffle(groups, random);
  for (const Group* group : groups) {
    Group& smallest = *std::ranges::min_element(folds, {}, &Group::size);
    smallest.tasks.insert(smallest.tasks.end(), group->tasks.begin(), group->tasks.end());
    smallest.size += group->size;
  }
}

}  // namespace

FoldBy parse_fold_by(const std::string& word) {
  if (word == "structure") return FoldBy::Structure;
  if (word == "task") return FoldBy::Task;
  throw UserError("folds are not dealt by '" + word + "'",
                  did_you_mean(word, std::vector<std::string>{"structure", "task"}));
}

std::vector<TaskIds> deal_folds(const DataSet& set, const TaskIds& tasks, std::size_t n_folds,
                                std::uint64_t seed, FoldBy by) {
  const auto name_of = [&](const Task& task) -> const std::string& {
    return by == FoldBy::Task ? task.key : task.structure;
  };
  Groups first, others;
  for (const std::uint32_t id : tasks)
    if (!set.has_target() || set.is_of_target(set.tasks[id])) ++first[name_of(set.tasks[id])].size;
  for (const std::uint32_t id : tasks) {
    const auto found = first.find(name_of(set.tasks[id]));
    Group& group = found == first.end() ? others[name_of(set.tasks[id])] : found->second;
    group.tasks.push_back(id);
    if (found == first.end()) ++group.size;
  }
  constexpr std::uint64_t kStream = 1;
  Random random(seed, kStream);
  std::vector<Group> folds(n_folds);
  deal(first, random, folds);
  deal(others, random, folds);
  std::vector<TaskIds> out;
  for (Group& fold : folds) out.push_back(std::move(fold.tasks));
  return out;
}

Split split_tasks(const DataSet& set, Fold left_out, double validation_share, std::uint64_t seed) {
  TaskIds tasks;
  for (std::uint32_t task = 0; task < set.tasks.size(); ++task)
    if (set.tasks[task].best_s > 0) tasks.push_back(task);
  if (left_out.of > 0) {
    constexpr std::uint64_t kFoldSeed = 0;
    const std::vector<TaskIds> folds = deal_folds(set, tasks, left_out.of, kFoldSeed, left_out.by);
    const TaskIds& gone = folds.at(left_out.number);
    std::erase_if(tasks, [&](std::uint32_t task) { return std::ranges::count(gone, task) > 0; });
  }
  Split split;
  if (validation_share > 0) {
    const auto n_folds = static_cast<std::size_t>(std::max(2L, std::lround(1 / validation_share)));
    std::vector<TaskIds> folds = deal_folds(set, tasks, n_folds, seed + 1, left_out.by);
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

std::vector<std::string> keys_of(const DataSet& set, const Split& split) {
  std::vector<std::string> keys;
  std::set<std::string_view> known;
  for (const TaskIds* part : {&split.training, &split.validation})
    for (const std::uint32_t task : *part)
      if (known.insert(set.tasks[task].key).second) keys.push_back(set.tasks[task].key);
  return keys;
}

}  // namespace hone::train
