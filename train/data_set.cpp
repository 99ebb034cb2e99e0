#include "train/data_set.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "base/random.h"

namespace hone::train {
namespace {

constexpr double kFailedSpeed = 1e-5;

[[noreturn]] void fail_damaged(const record::hds::File& file, const std::string& why) {
  throw UserError(file.path() + " is damaged: " + why,
                  "`hone dataset check SET` says what else is wrong; import the logs again");
}

// Of each task; none where the file knows nothing of machines.
record::hds::Strings machines_of(const record::hds::File& file) {
  return file.has("task.machine.offsets") ? file.strings("task.machine") : record::hds::Strings();
}

bool names_its_machines(const record::hds::File& file) {
  const record::hds::Strings machines = machines_of(file);
  for (std::size_t i = 0; i < machines.size(); ++i)
    if (machines[i].empty()) return false;
  return machines.size() > 0;
}

// The place of the platform of that name; it becomes one when it is new.
std::uint32_t platform_named(DataSet& set, const std::string& name) {
  const auto found = std::ranges::find(set.platforms, name, &Platform::name);
  const auto place = static_cast<std::uint32_t>(found - set.platforms.begin());
  if (place == set.platforms.size()) set.platforms.push_back({.name = name});
  return place;
}

void read_tasks(DataSet& set, const record::hds::File& file) {
  const record::hds::Strings keys = file.strings("task.key");
  const record::hds::Strings structures = file.strings("task.structure");
  if (keys.size() != structures.size()) fail_damaged(file, "its tasks have keys or structures missing");
  const record::hds::Strings machines = machines_of(file);
  const std::string name_of_file = std::filesystem::path(file.path()).stem();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string machine(i < machines.size() ? machines[i] : "");
    set.tasks.push_back({.key = std::string(keys[i]),
                         .structure = std::string(structures[i]),
                         .platform = platform_named(set, machine.empty() ? name_of_file : machine),
                         .programs = {},
                         .unlabelled = {}});
  }
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

// Appends the tasks and programs of a file.
void add_part(DataSet& set, const std::string& path, const std::string& label) {
  const record::hds::File file = record::hds::File::open(path);
  const auto task_of = file.array<std::uint32_t>("program.task");
  const auto status = file.array<std::uint8_t>("program.status");
  const std::vector<float> times = read_times(file, label);
  if (task_of.size() != status.size() || task_of.size() != times.size())
    fail_damaged(file, "its programs have tasks, statuses or times missing");
  const auto first_task = static_cast<std::uint32_t>(set.tasks.size());
  const auto first = static_cast<Program>(set.n_programs());
  read_tasks(set, file);
  set.parts.push_back({file, first_task, set.tasks.size() - first_task, first, times.size()});
  set.time_s.insert(set.time_s.end(), times.begin(), times.end());
  set.works.resize(first + times.size());
  set.speed.resize(first + times.size(), 0);
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (task_of[i] >= set.parts.back().n_tasks)
      fail_damaged(file, "a program has a task that is not there");
    Task& task = set.tasks[first_task + task_of[i]];
    set.task_of.push_back(first_task + task_of[i]);
    task.programs.push_back(static_cast<Program>(first + i));
    set.works[first + i] = status[i] == 0 && times[i] > 0 && std::isfinite(times[i]) ? 1 : 0;
  }
  for (std::size_t i = first_task; i < set.tasks.size(); ++i) set.update_speeds(set.tasks[i]);
}

}  // namespace

std::uint64_t DataSet::content_hash() const {
  std::uint64_t hash = 0;
  for (const Part& part : parts)
    hash = hash == 0 ? part.file.content_hash() : mix_bits(hash ^ part.file.content_hash());
  return hash;
}

void DataSet::update_speeds(Task& task) {
  task.best_s = 0;
  for (const Program i : task.programs)
    if (works[i] != 0 && (task.best_s == 0 || time_s[i] < task.best_s)) task.best_s = time_s[i];
  for (const Program i : task.programs)
    speed[i] = works[i] != 0 ? static_cast<float>(task.best_s / time_s[i]) : 0;
}

DataSet load_data_sets(const std::vector<std::string>& paths, const std::string& label) {
  DataSet set;
  std::string nameless;
  for (const std::string& path : paths) {
    add_part(set, path, label);
    if (names_its_machines(set.parts.back().file)) continue;
    if (!nameless.empty())
      throw UserError("neither " + nameless + " nor " + path + " says which machine it was measured on",
                      "import the logs of one of them again with --machine NAME");
    nameless = path;
  }
  return set;
}

DataSet load_data_set(const std::string& path, const std::string& label) {
  return load_data_sets({path}, label);
}

void set_target(DataSet& set, const std::string& name) {
  std::vector<std::string> names;
  for (const Platform& platform : set.platforms) names.push_back(platform.name);
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    std::string known;
    for (const std::string& each : names) known += (known.empty() ? "" : ", ") + each;
    throw UserError("no set is of the machine '" + name + "'", "they are of: " + known);
  }
  const auto place = static_cast<std::uint32_t>(found - names.begin());
  std::rotate(set.platforms.begin(), set.platforms.begin() + place, set.platforms.begin() + place + 1);
  set.platforms.front().is_target = true;
  for (Task& task : set.tasks) {
    if (task.platform == place)
      task.platform = 0;
    else if (task.platform < place)
      ++task.platform;
  }
}

std::vector<double> relative_times(const DataSet& set, const Task& task) {
  std::vector<double> times;
  for (const Program program : task.programs)
    times.push_back(1 / std::max<double>(set.speed[program], kFailedSpeed));
  return times;
}

}  // namespace hone::train
