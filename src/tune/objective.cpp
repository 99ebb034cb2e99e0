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
      if (is_new) groups_.push_back({use.network, use.weight, kNotMeasured, {}});
      Group& group = groups_[place->second];
      check(group.weight == use.weight, "all alternatives of a group run equally often");
      const double expected = tasks[task].expected_s + use.extra_s;
      group.alternatives.push_back({static_cast<int>(task), use.extra_s, expected});
      group.expected_s = std::min(group.expected_s, expected);
      count_ = std::max(count_, static_cast<std::size_t>(use.network) + 1);
    }
  }
}

double Networks::measured_s(const Group& group, std::span<const double> tasks_s) {
  double best = kNotMeasured;
  for (const Alternative& alternative : group.alternatives) {
    best = std::min(best, tasks_s[static_cast<std::size_t>(alternative.task)] + alternative.extra_s);
  }
  return best;
}

double Networks::known_s(const Group& group, std::span<const double> tasks_s) {
  const double measured = measured_s(group, tasks_s);
  return measured < kNotMeasured ? measured : group.expected_s;
}

std::vector<double> Networks::latencies_s(std::span<const double> tasks_s) const {
  std::vector<double> latencies(count_, 0);
  for (const Group& group : groups_) {
    latencies[static_cast<std::size_t>(group.network)] += group.weight * known_s(group, tasks_s);
  }
  return latencies;
}

bool Networks::would_be_taken(int task, double seconds, std::span<const double> tasks_s) const {
  return std::ranges::any_of(groups_, [&](const Group& group) {
    return std::ranges::any_of(group.alternatives, [&](const Alternative& alternative) {
      return alternative.task == task && seconds + alternative.extra_s < measured_s(group, tasks_s);
    });
  });
}

double Networks::stake_s(int task, std::span<const double> tasks_s,
                         const std::vector<bool>& has_begun) const {
  double stake = 0;
  for (const Group& group : groups_) {
    const auto begun = std::ranges::count_if(group.alternatives, [&](const Alternative& alternative) {
      return has_begun[static_cast<std::size_t>(alternative.task)];
    });
    const double known = known_s(group, tasks_s);
    for (const Alternative& alternative : group.alternatives) {
      if (alternative.task != task) continue;
      stake += group.weight * known * std::min(1.0, known / alternative.expected_s) /
               static_cast<double>(begun + 1);
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
