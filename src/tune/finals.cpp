#include "tune/finals.h"

#include <algorithm>

namespace hone::tune {
namespace {

constexpr std::size_t kFinalists = 8;
// Least times of turns taken by all repeat as well as this, as seen on a matrix product of 1.3 ms.
constexpr double kNoise = 0.003;

std::vector<int> fastest(const std::vector<Trial>& trials, int baseline) {
  std::vector<int> order;
  for (int i = 0; i < static_cast<int>(trials.size()); ++i) {
    if (trials[static_cast<std::size_t>(i)].is_ok()) order.push_back(i);
  }
  std::ranges::stable_sort(order, {},
                           [&](int i) { return trials[static_cast<std::size_t>(i)].best_s(); });
  const bool has_baseline = std::ranges::find(order, baseline) != order.end();
  order.resize(std::min(order.size(), kFinalists));
  if (has_baseline && std::ranges::find(order, baseline) == order.end()) order.push_back(baseline);
  return order;
}

int choose(const Finals& finals) {
  const auto warm_s = [&](int i) {
    return finals.finalists[static_cast<std::size_t>(i)].times.warm.best_s();
  };
  const auto cold_s = [&](int i) { return finals.finalists[static_cast<std::size_t>(i)].times.cold_s; };
  std::vector<int> order;
  for (int i = 0; i < static_cast<int>(finals.finalists.size()); ++i) {
    if (!finals.finalists[static_cast<std::size_t>(i)].times.warm.seconds.empty()) order.push_back(i);
  }
  if (order.empty()) return -1;
  const double least_s = warm_s(*std::ranges::min_element(order, {}, warm_s));
  std::erase_if(order, [&](int i) { return warm_s(i) > least_s * (1 + kNoise); });
  if (std::ranges::find(order, finals.baseline) != order.end()) return finals.baseline;
  return *std::ranges::min_element(order, {}, cold_s);
}

}  // namespace

Finals finals_of(const std::vector<Trial>& trials, int baseline, Meter& meter, double budget_s) {
  Finals finals;
  std::vector<schedule::Steps> steps;
  for (const int number : fastest(trials, baseline)) {
    if (number == baseline) finals.baseline = static_cast<int>(steps.size());
    finals.finalists.push_back({number, {}});
    steps.push_back(trials[static_cast<std::size_t>(number)].candidate.steps);
  }
  const std::vector<Comparison> times = meter.compare(steps, budget_s);
  for (std::size_t i = 0; i < times.size(); ++i) finals.finalists[i].times = times[i];
  finals.winner = choose(finals);
  if (finals.baseline >= 0 && meter.is_live()) {
    const Trial& first = trials[static_cast<std::size_t>(baseline)];
    finals.drift = meter.again(first.candidate.steps).best_s() / first.best_s() - 1;
  }
  return finals;
}

std::vector<record::Record> winners_of(const Lane& lane, const std::optional<Finals>& finals) {
  const auto trial = [&](int number) { return lane.trials()[static_cast<std::size_t>(number)]; };
  if (lane.best() < 0) return {};
  if (!finals) return {lane.record_of(trial(lane.best()))};
  std::vector<record::Record> records;
  for (const Finals::Finalist& finalist : finals->finalists) {
    if (finalist.times.warm.seconds.empty()) continue;
    Trial again = trial(finalist.trial);
    again.measurement.seconds = finalist.times.warm.seconds;
    records.push_back(lane.record_of(again));
  }
  return records;
}

}  // namespace hone::tune
