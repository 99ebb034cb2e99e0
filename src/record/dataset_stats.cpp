#include "record/dataset_stats.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>
#include <set>
#include <unordered_map>

#include "base/parallel.h"

namespace hone::record {
namespace {

constexpr double kSlowest = 1e5;  // times slower than the best: what a failure counts as

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  const auto at = [&](double share) {
    const auto nth = values.begin() + std::lround(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), nth, values.end());
    return *nth;
  };
  return {static_cast<std::int64_t>(values.size()), at(0.5), at(0.9)};
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double relative_deviation(std::span<const double> values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1)) / mean;
}

// Expected best over the best of `picks` programs drawn at random, for sorted times.
double random_pick(const std::vector<double>& times, int picks) {
  const auto n = static_cast<double>(times.size());
  double expected = 0;
  double none_before = 1;  // how likely all picks stand at this place or behind it
  for (std::size_t i = 0; i < times.size(); ++i) {
    double none_here = none_before;  // and none of them at it
    const double left = n - static_cast<double>(i);
    none_here *= left > picks ? (left - picks) / left : 0;
    expected += (none_before - none_here) * times.front() / times[i];
    none_before = none_here;
  }
  return expected;
}

// Noise and floor, task by task.
class TaskStats {
 public:
  explicit TaskStats(const Dataset& set) : set_(set) {}

  void add(const std::vector<std::uint32_t>& programs, DatasetStats& stats) {
    std::vector<double> times;
    for (const std::uint32_t program : programs)
      if (set_.status[program] == 0) times.push_back(set_.best[program]);
    add_noise(programs, stats);
    if (times.empty()) {
      ++stats.tasks_without_answer;
      return;
    }
    const double best = *std::ranges::min_element(times);
    times.resize(programs.size(), std::numeric_limits<double>::infinity());
    for (double& time : times) time = std::min(time, kSlowest * best);
    std::ranges::sort(times);
    ++stats.floor.tasks;
    top1_ += random_pick(times, 1);
    top5_ += random_pick(times, 5);
    best_ += best;
    picked_ += mean_of(times);
  }

  void finish(DatasetStats& stats) const {
    const auto tasks = static_cast<double>(std::max<std::int64_t>(stats.floor.tasks, 1));
    stats.floor.top1 = top1_ / tasks;
    stats.floor.top5 = top5_ / tasks;
    stats.floor.pooled_top1 = picked_ > 0 ? best_ / picked_ : 0;
    stats.repeats = spread_of(repeats_);
    stats.minima = spread_of(minima_);
    stats.means = spread_of(means_);
  }

 private:
  void add_noise(const std::vector<std::uint32_t>& programs, DatasetStats& stats) {
    std::unordered_map<std::string_view, std::uint32_t> first;  // of each step list that was valid
    std::set<std::string_view> seen;
    for (const std::uint32_t program : programs) {
      const std::string_view code = set_.code(program);
      stats.repeated += !seen.insert(code).second;
      if (set_.status[program] != 0) continue;
      const auto times = set_.times(program);
      if (times.size() > 1) repeats_.push_back(relative_deviation(times));
      const auto [at, is_first] = first.try_emplace(code, program);
      if (is_first) continue;
      const auto ratio = [](double a, double b) { return std::max(a, b) / std::min(a, b); };
      minima_.push_back(ratio(set_.best[program], set_.best[at->second]));
      means_.push_back(ratio(mean_of(times), mean_of(set_.times(at->second))));
    }
  }

  const Dataset& set_;
  std::vector<double> repeats_, minima_, means_;
  double top1_ = 0, top5_ = 0, best_ = 0, picked_ = 0;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> programs_by_task(const Dataset& set) {
  std::vector<std::vector<std::uint32_t>> programs(set.n_tasks());
  for (std::size_t program = 0; program < set.n_programs(); ++program) {
    set.check_program(program);
    programs[set.task[program]].push_back(static_cast<std::uint32_t>(program));
  }
  return programs;
}

DatasetStats stats_of(const Dataset& set) {
  DatasetStats stats;
  stats.programs = static_cast<std::int64_t>(set.n_programs());
  stats.tasks = static_cast<std::int64_t>(set.n_tasks());
  std::set<std::string_view> structures;
  for (std::size_t task = 0; task < set.n_tasks(); ++task) {
    structures.insert(set.structure[task]);
    stats.tasks_with_dag += !set.dag[task].empty();
    stats.tasks_with_network += !set.networks[task].empty();
  }
  stats.structures = static_cast<std::int64_t>(structures.size());
  std::vector<std::uint64_t> hashes(set.n_programs());
  for (std::size_t program = 0; program < set.n_programs(); ++program) {
    ++stats.statuses[std::min<std::size_t>(set.status[program], stats.statuses.size() - 1)];
    hashes[program] = hds::hash_of(set.code(program));
  }
  stats.valid = stats.statuses[0];
  std::ranges::sort(hashes);
  stats.distinct = std::ranges::unique(hashes).begin() - hashes.begin();
  TaskStats by_task(set);
  for (const auto& programs : programs_by_task(set)) by_task.add(programs, stats);
  by_task.finish(stats);
  stats.bytes_a_program = static_cast<double>(std::filesystem::file_size(set.file.path())) /
                          static_cast<double>(std::max<std::int64_t>(stats.programs, 1));
  return stats;
}

Collisions collisions_of(const Dataset& set, const ProgramView& view, int threads) {
  struct Seen {
    std::uint64_t view, steps;
    double label;
  };
  std::vector<double> best(set.n_tasks(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < set.n_programs(); ++i) {
    set.check_program(i);
    if (set.status[i] == 0) best[set.task[i]] = std::min<double>(best[set.task[i]], set.best[i]);
  }
  std::vector<Seen> seen(set.n_programs());
  parallel_for(seen.size(), threads, [&](std::size_t i) {
    seen[i] = {view(i), hds::hash_of(set.code(i)),
               set.status[i] == 0 ? best[set.task[i]] / set.best[i] : 0};
  });
  std::ranges::sort(seen, {},
                    [](const Seen& one) { return std::tuple(one.view, one.steps, one.label); });
  Collisions collisions;
  std::vector<double> labels;
  for (auto begin = seen.begin(); begin != seen.end();) {
    const auto end =
        std::find_if(begin, seen.end(), [&](const Seen& one) { return one.view != begin->view; });
    ++collisions.distinct;
    if (begin->steps != (end - 1)->steps) {
      collisions.colliding += end - begin;
      const auto [least, most] = std::minmax_element(
          begin, end, [](const Seen& a, const Seen& b) { return a.label < b.label; });
      labels.push_back(most->label - least->label);
    }
    begin = end;
  }
  collisions.labels = spread_of(labels);
  return collisions;
}

}  // namespace hone::record
