#include "tune/objective.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"

namespace hone::tune {

Networks::Networks(std::span<const SchedulerTask> tasks) {
  std::map<std::pair<int, int>, std::size_t> places;
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    for (const TaskUse& use : tasks[task].uses) {
      check(use.network >= 0 && use.weight > 0, "a task is used in a network, at least once");
      const auto [place, is_new] = places.try_emplace({use.network, use.group}, groups_.size());
      if (is_new) groups_.push_back({use.network, use.weight, {}});
      Group& group = groups_[place->second];
      check(group.weight == use.weight, "all options of a group run equally often");
      Option& option = group.options[use.option];
      check(option.parts.empty() || option.extra_s == use.extra_s,
            "an option costs one time elsewhere");
      option.extra_s = use.extra_s;
      Part& part = option.parts[use.part];
      part.tasks.push_back(static_cast<int>(task));
      part.expected_s.push_back(tasks[task].expected_s);
      count_ = std::max(count_, static_cast<std::size_t>(use.network) + 1);
    }
  }
}

double Networks::measured_s(const Part& part, std::span<const double> tasks_s) {
  double best = kNotMeasured;
  for (const int task : part.tasks) best = std::min(best, tasks_s[static_cast<std::size_t>(task)]);
  return best;
}

double Networks::measured_s(const Option& option, std::span<const double> tasks_s) {
  double sum = option.extra_s;
  for (const auto& [number, part] : option.parts) sum += measured_s(part, tasks_s);
  return sum;
}

double Networks::measured_s(const Group& group, std::span<const double> tasks_s) {
  double best = kNotMeasured;
  for (const auto& [number, option] : group.options) best = std::min(best, measured_s(option, tasks_s));
  return best;
}

double Networks::expected_s(const Option& option) {
  double sum = option.extra_s;
  for (const auto& [number, part] : option.parts) sum += std::ranges::min(part.expected_s);
  return sum;
}

double Networks::known_s(const Group& group, std::span<const double> tasks_s) {
  const double measured = measured_s(group, tasks_s);
  if (measured < kNotMeasured) return measured;
  double least = kNotMeasured;
  for (const auto& [number, option] : group.options) least = std::min(least, expected_s(option));
  return least;
}

std::vector<double> Networks::latencies_s(std::span<const double> tasks_s) const {
  std::vector<double> latencies(count_, 0);
  for (const Group& group : groups_) {
    latencies[static_cast<std::size_t>(group.network)] += group.weight * known_s(group, tasks_s);
  }
  return latencies;
}

bool Networks::would_be_taken(int task, double seconds, std::span<const double> tasks_s) const {
  for (const Group& group : groups_) {
    for (const auto& [number, option] : group.options) {
      double sum = option.extra_s;
      bool is_in = false;
      for (const auto& [place, part] : option.parts) {
        const bool is_here = std::ranges::count(part.tasks, task) > 0;
        const double measured = measured_s(part, tasks_s);
        if (is_here) sum += seconds;
        if (!is_here && measured < kNotMeasured) sum += measured;
        is_in |= is_here;
      }
      if (is_in && sum < measured_s(group, tasks_s)) return true;
    }
  }
  return false;
}

std::ptrdiff_t Networks::begun_beside(const Group& group, int number, int place,
                                      const std::vector<bool>& has_begun) {
  std::ptrdiff_t begun = 0;
  for (const auto& [other, option] : group.options) {
    for (const auto& [part, rivals] : option.parts) {
      if (other == number && part != place) continue;
      begun += std::ranges::count_if(
          rivals.tasks, [&](int task) { return has_begun[static_cast<std::size_t>(task)]; });
    }
  }
  return begun;
}

double Networks::stake_s(int task, std::span<const double> tasks_s,
                         const std::vector<bool>& has_begun) const {
  double stake = 0;
  for (const Group& group : groups_) {
    const double known = known_s(group, tasks_s);
    for (const auto& [number, option] : group.options) {
      for (const auto& [place, part] : option.parts) {
        const auto found = std::ranges::find(part.tasks, task);
        if (found == part.tasks.end()) continue;
        const double own = part.expected_s[static_cast<std::size_t>(found - part.tasks.begin())];
        const double least = std::ranges::min(part.expected_s);
        const double others = expected_s(option) - least;
        const auto begun = static_cast<double>(begun_beside(group, number, place, has_begun));
        stake += group.weight * known * least / (least + others) *
                 std::min(1.0, known / (own + others)) / (begun + 1);
      }
    }
  }
  return stake;
}

double value_of(const Objective& objective, std::span<const double> networks_s,
                std::span<const double> stopped_s) {
  using Kind = Objective::Kind;
  double sum = 0, sum_of_logarithms = 0;
  for (std::size_t network = 0; network < networks_s.size(); ++network) {
    double latency = networks_s[network];
    if (objective.kind == Kind::Requirements) {
      latency = std::max(latency, objective.requirement_s[network]);
    } else if (objective.kind == Kind::EarlyStop) {
      latency = std::max(latency, stopped_s[network]);
    } else if (objective.kind == Kind::Speedup) {
      sum_of_logarithms += std::log(objective.reference_s[network] / latency);
    }
    sum += latency;
  }
  return objective.kind == Kind::Speedup
             ? -std::exp(sum_of_logarithms / static_cast<double>(networks_s.size()))
             : sum;
}

}  // namespace hone::tune
