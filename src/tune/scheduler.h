// Which task gets the next round of trials.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "tune/objective.h"

namespace hone::tune {

enum class SchedulerKind : std::uint8_t {
  Gradient,    // the most expected gain a second of tuning, see gradient_scheduler.h
  Ansor,       // the most gain a round that one may hope for
  RoundRobin,  // each in its turn
  Random,
};
inline constexpr std::array<std::string_view, 4> kSchedulerNames = {"gradient", "ansor", "round-robin",
                                                                    "random"};

class Scheduler {
 public:
  virtual ~Scheduler() = default;
  // The task to work on; -1 when none is worth a round any more. Rounds that were handed out need not
  // have been reported: the next one can be prepared while one is measured.
  virtual int next() = 0;
  // After a round of the task: its best latency so far (kNotMeasured when no trial was good), and how
  // long the round took. Rounds of earlier sessions may be reported before the first `next`.
  virtual void report(int task, double best_s, double spent_s) = 0;
  // The task has no candidates left, or cannot be tuned.
  virtual void finish(int task) = 0;
};

std::unique_ptr<Scheduler> make_scheduler(SchedulerKind kind, std::vector<SchedulerTask> tasks,
                                          const Objective& objective, std::uint64_t seed);

}  // namespace hone::tune
