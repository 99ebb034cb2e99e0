// Schedulers on the convolutions of ResNet-50 as tuning found them on a machine of two cores (Zen 4):
// best latencies after each round of 16 trials.
#include <gtest/gtest.h>

#include <algorithm>

#include "tune/scheduler.h"

namespace hone::tune {
namespace {

struct Recorded {
  std::string tag;
  int group;
  double weight;
  double round_s;
  std::vector<double> best_us;  // untuned, after the first round, ...; later rounds found nothing
};

const std::vector<Recorded> kResNet50 = {
    {"direct", 0, 1, 0.51, {1016, 1006, 1006, 1006, 1006, 1004, 1003}},
    {"direct", 1, 3, 0.90, {1003, 973, 973, 966, 966, 966, 964}},
    {"winograd", 1, 3, 2.64, {1142, 1114, 1109, 1109, 567, 561}},
    {"winograd", 1, 3, 3.34, {396, 317, 315}},
    {"direct", 2, 3, 1.22, {954, 940, 940, 940, 937}},
    {"winograd", 2, 3, 1.54, {1097, 790, 790, 777}},
    {"winograd", 2, 3, 1.90, {623, 471, 468, 468, 416, 416, 416, 295, 287}},
    {"direct", 3, 5, 1.23, {909, 896, 896, 896, 894, 894, 892}},
    {"winograd", 3, 5, 0.91, {774, 641, 476, 468}},
    {"winograd", 3, 5, 1.33, {563, 449}},
    {"direct", 4, 2, 0.98, {812, 810, 810, 805, 804}},
    {"winograd", 4, 2, 1.39, {804, 733, 719, 717, 717, 717, 717, 717, 716, 715, 715, 710}},
    {"winograd", 4, 2, 4.81, {474, 438, 426, 425, 425, 425, 425, 420}},
    {"direct", 5, 1, 1.14, {979, 972}},
    {"direct", 6, 1, 1.27, {998, 966, 965, 965, 954, 951}},
    {"direct", 7, 1, 1.05, {930, 909}},
    {"1x1", 8, 1, 1.32, {141, 111, 111, 111, 111, 111}},
    {"1x1", 9, 4, 1.37, {447, 445, 444, 444, 444, 440, 440}},
    {"1x1", 10, 2, 1.39, {444, 437, 436}},
    {"1x1", 11, 4, 1.81, {441, 437, 437, 436}},
    {"1x1", 12, 3, 1.06, {439, 439, 438, 438, 438, 437}},
    {"1x1", 13, 6, 0.59, {442, 436, 436}},
    {"1x1", 14, 5, 1.21, {438, 438, 438, 438, 437}},
    {"1x1", 15, 3, 0.91, {455, 437}},
    {"1x1", 16, 2, 1.02, {438, 437}},
    {"1x1", 17, 1, 0.54, {890, 877, 876, 876, 876, 876, 875}},
    {"1x1", 18, 1, 1.27, {927, 903, 893, 875}},
};

std::vector<SchedulerTask> tasks() {
  std::vector<SchedulerTask> all;
  for (const Recorded& recorded : kResNet50) {
    SchedulerTask& task = all.emplace_back();
    task.tag = recorded.tag;
    task.expected_s = recorded.best_us.front() * 1e-6;
    task.uses = {{0, recorded.group, recorded.weight}};
  }
  return all;
}

// The network's milliseconds after so many seconds of tuning.
std::vector<double> latencies_ms(SchedulerKind kind, const std::vector<double>& after_s) {
  const auto scheduler = make_scheduler(kind, tasks(), {}, 1);
  std::vector<double> best_s(kResNet50.size(), kNotMeasured), latencies;
  std::vector<std::size_t> rounds(kResNet50.size(), 0);
  double spent_s = 0;
  while (latencies.size() < after_s.size()) {
    const auto task = static_cast<std::size_t>(scheduler->next());
    const Recorded& recorded = kResNet50[task];
    rounds[task] = std::min(rounds[task] + 1, recorded.best_us.size() - 1);
    best_s[task] = recorded.best_us[rounds[task]] * 1e-6;
    spent_s += recorded.round_s;
    scheduler->report(static_cast<int>(task), best_s[task], recorded.round_s);
    while (latencies.size() < after_s.size() && spent_s >= after_s[latencies.size()]) {
      latencies.push_back(1e3 * Networks(tasks()).latencies_s(best_s).front());
    }
  }
  return latencies;
}

TEST(SchedulerRecorded, FindsWhereTuningStillHelps) {
  // Of 25.54 untuned: round robin 24.27 and 23.88, Ansor 24.12 and 23.87, here 24.12 and 23.36.
  const std::vector<double> after_s = {15, 90};
  const std::vector<double> gradient = latencies_ms(SchedulerKind::Gradient, after_s);
  const std::vector<double> ansor = latencies_ms(SchedulerKind::Ansor, after_s);
  const std::vector<double> round_robin = latencies_ms(SchedulerKind::RoundRobin, after_s);
  EXPECT_LT(gradient[0], round_robin[0] - 0.1);
  EXPECT_LT(gradient[1], ansor[1] - 0.4);
  EXPECT_LT(gradient[1], round_robin[1] - 0.4);
}

}  // namespace
}  // namespace hone::tune
