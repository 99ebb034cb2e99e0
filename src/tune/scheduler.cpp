#include "tune/scheduler.h"

#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "tune/gradient_scheduler.h"

namespace hone::tune {
namespace {

// What needs to know only which tasks can go on.
class BlindScheduler : public Scheduler {
 public:
  explicit BlindScheduler(std::size_t tasks) {
    for (std::size_t task = 0; task < tasks; ++task) live_.push_back(static_cast<int>(task));
  }
  void report(int, double, double) override {}
  void finish(int task) override { std::erase(live_, task); }

 protected:
  std::vector<int> live_;  // ascending
};

class RoundRobin : public BlindScheduler {
 public:
  using BlindScheduler::BlindScheduler;
  int next() override {
    if (live_.empty()) return -1;
    const auto after = std::ranges::upper_bound(live_, last_);
    return last_ = after == live_.end() ? live_.front() : *after;
  }

 private:
  int last_ = -1;
};

class RandomScheduler : public BlindScheduler {
 public:
  RandomScheduler(std::size_t tasks, std::uint64_t seed) : BlindScheduler(tasks), random_(seed, 0) {}
  int next() override {
    if (live_.empty()) return -1;
    return live_[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(live_.size())))];
  }

 private:
  Random random_;
};

void verify(const Objective& objective, std::size_t networks) {
  using Kind = Objective::Kind;
  check(objective.kind != Kind::Requirements || objective.requirement_s.size() == networks,
        "every network has a required latency");
  check(objective.kind != Kind::Speedup || objective.reference_s.size() == networks,
        "every network has a reference latency");
}

}  // namespace

std::unique_ptr<Scheduler> make_scheduler(SchedulerKind kind, std::vector<SchedulerTask> tasks,
                                          const Objective& objective, std::uint64_t seed) {
  verify(objective, Networks(tasks).count());
  switch (kind) {
    case SchedulerKind::RoundRobin:
      return std::make_unique<RoundRobin>(tasks.size());
    case SchedulerKind::Random:
      return std::make_unique<RandomScheduler>(tasks.size(), seed);
    case SchedulerKind::Gradient:
      return std::make_unique<GradientScheduler>(std::move(tasks), objective);
    case SchedulerKind::Ansor:
      return std::make_unique<GradientScheduler>(
          std::move(tasks), objective, GradientOptions{.counts_seconds = false, .scales_hope = false});
  }
  fail("unknown kind of scheduler");
}

}  // namespace hone::tune
