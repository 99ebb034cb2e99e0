#include "train/data_set.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace hone::train {
namespace {

constexpr double kFailedSpeed = 1e-5;

[[noreturn]] void fail_damaged(const record::hds::File& file, const std::string& why) {
  throw UserError(file.path() + " is damaged: " + why,
                  "`hone dataset check SET` says what else is wrong; import the logs again");
}

std::vector<Task> read_tasks(const record::hds::File& file) {
  const record::hds::Strings keys = file.strings("task.key");
  const record::hds::Strings structures = file.strings("task.structure");
  if (keys.size() != structures.size()) fail_damaged(file, "its tasks have keys or structures missing");
  std::vector<Task> tasks(keys.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    tasks[i].key = keys[i];
    tasks[i].structure = structures[i];
  }
  return tasks;
}

// Of each program the time that counts, in seconds.
std::vector<float> read_times(const record::hds::File& file, const std::string& label) {
  const auto best = file.array<float>("program.best");
  if (label == "min") return {best.begin(), best.end()};
  check(label == "mean", "a label is one of two");
  const auto offsets = file.array<std::uint64_t>("program.times.offsets");
  const auto values = file.array<double>("program.times.values");
  if (offsets.size() != best.size() + 1 || offsets.back() > values.size() ||
      !std::ranges::is_sorted(offsets))
    fail_damaged(file, "its programs have repeats missing");
  std::vector<float> means(best.size(), NAN);
  for (std::size_t i = 0; i < means.size(); ++i) {
    double sum = 0;
    for (std::size_t at = offsets[i]; at < offsets[i + 1]; ++at) sum += values[at];
    means[i] = static_cast<float>(sum / static_cast<double>(offsets[i + 1] - offsets[i]));
  }
  return means;
}

}  // namespace

DataSet load_data_set(const std::string& path, const std::string& label) {
  DataSet set{record::hds::File::open(path), {}, {}, {}, {}};
  set.tasks = read_tasks(set.file);
  const auto task_of = set.file.array<std::uint32_t>("program.task");
  const auto status = set.file.array<std::uint8_t>("program.status");
  const std::vector<float> times = read_times(set.file, label);
  if (task_of.size() != status.size() || task_of.size() != times.size())
    fail_damaged(set.file, "its programs have tasks, statuses or times missing");
  set.task_of.assign(task_of.begin(), task_of.end());
  set.works.resize(times.size());
  set.speed.resize(times.size(), 0);
  for (Program i = 0; i < times.size(); ++i) {
    if (task_of[i] >= set.tasks.size())
      fail_damaged(set.file, "a program has a task that is not there");
    Task& task = set.tasks[task_of[i]];
    task.programs.push_back(i);
    set.works[i] = status[i] == 0 && times[i] > 0 && std::isfinite(times[i]);
    if (set.works[i] && (task.best_s == 0 || times[i] < task.best_s)) task.best_s = times[i];
  }
  for (Program i = 0; i < times.size(); ++i)
    if (set.works[i]) set.speed[i] = static_cast<float>(set.tasks[task_of[i]].best_s / times[i]);
  return set;
}

std::vector<double> relative_times(const DataSet& set, const Task& task) {
  std::vector<double> times;
  for (const Program program : task.programs)
    times.push_back(1 / std::max<double>(set.speed[program], kFailedSpeed));
  return times;
}

}  // namespace hone::train
