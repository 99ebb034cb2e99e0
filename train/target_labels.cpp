#include "train/target_labels.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>

#include "base/error.h"
#include "base/shuffle.h"

namespace hone::train {
namespace {

// Of a task at least, where it has so many.
constexpr std::size_t kLabelsTogether = 8;

TaskIds of_target(const DataSet& set, const TaskIds& tasks) {
  TaskIds out;
  std::ranges::copy_if(tasks, std::back_inserter(out),
                       [&](std::uint32_t task) { return set.is_of_target(set.tasks[task]); });
  return out;
}

std::size_t n_programs(const DataSet& set, const TaskIds& tasks) {
  std::size_t count = 0;
  for (const std::uint32_t task : tasks) count += set.tasks[task].programs.size();
  return count;
}

// In rounds over the tasks in random order: a few programs of each, then one more of each.
void choose(const DataSet& set, TaskIds tasks, std::size_t count, Random& random,
            std::vector<Program>& chosen) {
  shuffle(tasks, random);
  std::vector<std::vector<Program>> left;
  for (const std::uint32_t task : tasks) {
    left.push_back(set.tasks[task].programs);
    shuffle(left.back(), random);
  }
  count = std::min(count, n_programs(set, tasks));
  for (std::size_t together = kLabelsTogether; count > 0; together = 1) {
    for (std::vector<Program>& programs : left) {
      const std::size_t taken = std::min({together, count, programs.size()});
      chosen.insert(chosen.end(), programs.end() - static_cast<std::ptrdiff_t>(taken), programs.end());
      programs.resize(programs.size() - taken);
      count -= taken;
    }
  }
}

const Part& part_of_target(const DataSet& set) {
  const Part* found = nullptr;
  for (const Part& part : set.parts) {
    const auto begin = set.tasks.begin() + static_cast<std::ptrdiff_t>(part.first_task);
    const auto end = begin + static_cast<std::ptrdiff_t>(part.n_tasks);
    if (std::none_of(begin, end, [&](const Task& task) { return set.is_of_target(task); })) continue;
    if (found != nullptr)
      throw UserError("programs of " + set.platforms.front().name + " are in several sets",
                      "`hone dataset merge` makes one of them, and the lines name its programs");
    found = &part;
  }
  check(found != nullptr, "a target is in some set");
  return *found;
}

void withhold(DataSet& set, Task& task, const std::vector<bool>& is_labelled) {
  for (const Program program : task.programs) {
    if (is_labelled[program]) continue;
    task.unlabelled.push_back(program);
    set.time_s[program] = set.speed[program] = NAN;  // whoever uses it after all will be noticed
    set.works[program] = 0;
  }
  std::erase_if(task.programs, [&](Program program) { return !is_labelled[program]; });
  set.update_speeds(task);
}

}  // namespace

std::vector<Program> choose_labelled(const DataSet& set, const Split& split, std::size_t count,
                                     std::uint64_t seed) {
  constexpr std::uint64_t kStream = 2;
  Random random(seed, kStream);
  const TaskIds training = of_target(set, split.training);
  const TaskIds validation = of_target(set, split.validation);
  const std::size_t of_validation = n_programs(set, validation);
  const std::size_t all = n_programs(set, training) + of_validation;
  count = std::min(count, all);
  const std::size_t held_out = all == 0 ? 0 : count * of_validation / all;
  std::vector<Program> chosen;
  choose(set, training, count - held_out, random, chosen);
  choose(set, validation, held_out, random, chosen);
  return chosen;
}

std::vector<Program> read_labelled(const DataSet& set, const std::string& path) {
  const Part& part = part_of_target(set);
  std::ifstream file(path);
  if (!file) throw UserError("cannot read " + path, "give a file with a program's number a line");
  std::vector<Program> programs;
  for (std::string line; std::getline(file, line);) {
    std::size_t place = 0;
    const char* const end = line.data() + line.size();
    const auto [stop, error] = std::from_chars(line.data(), end, place);
    if (error != std::errc() || stop != end || place >= part.n_programs ||
        !set.is_of_target(set.tasks[set.task_of[part.first_program + place]]))
      throw UserError("line " + std::to_string(programs.size() + 1) + " of " + path + " is '" + line +
                          "', which is no program of " + set.platforms.front().name,
                      "programs of " + part.file.path() + " are counted from 0");
    programs.push_back(static_cast<Program>(part.first_program + place));
  }
  return programs;
}

std::size_t withhold_labels(DataSet& set, Split& split, const std::vector<Program>& labelled) {
  std::vector<bool> is_labelled(set.n_programs());
  for (const Program program : labelled) is_labelled[program] = true;
  std::size_t n_left = 0;
  for (TaskIds* part : {&split.training, &split.validation}) {
    for (const std::uint32_t id : of_target(set, *part)) {
      withhold(set, set.tasks[id], is_labelled);
      n_left += set.tasks[id].programs.size();
    }
    std::erase_if(*part, [&](std::uint32_t id) { return set.tasks[id].best_s == 0; });
  }
  if (split.training.empty())
    throw UserError("no program is left to learn from",
                    "give a set of another machine besides, or more labels");
  return n_left;
}

}  // namespace hone::train
