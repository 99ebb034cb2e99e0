// Ansor's task scheduler: the next round goes to the task whose round promises the most for the
// objective.
//
// What a round promises follows from a forecast of the task's latency g after t rounds:
//   g + alpha * (mean gain of the last three rounds) + (1 - alpha) * (min(g - g / t, alike) - g)
// where `alike` is beta times what the task would take at the highest rate (flops a second) that tasks
// of its tag have reached. (Ansor's third constant, gamma, has no part in its formula.) This is changed
// in four places:
// - Networks hold groups of alternatives, so the objective has bends, and the forecast itself is put
//   into it instead of being multiplied with a derivative: an alternative promises something only as
//   far as it would overtake the group's best one.
// - No forecast lies below the task's floor. What cannot win even there gets no round at all.
// - The gain is divided by the seconds that a round of the task takes. A round of a slow kernel can
//   cost fifty times one of a fast kernel, and tuning ends after seconds, not after rounds.
// - That a round brings g / t is a hope. It is scaled by how much of it came true so far, in the rounds
//   of all tasks and in those of the task's tag. A convolution that is at the machine's peak untuned
//   leaves its rounds to others, and so does an alternative that tuning will not bring past the best.
#pragma once
#include "tune/scheduler.h"

namespace hone::tune {

// The last two of the changes.
struct GradientOptions {
  bool counts_seconds = true;
  bool scales_hope = true;
};

class GradientScheduler : public Scheduler {
 public:
  GradientScheduler(std::vector<SchedulerTask> tasks, const Objective& objective,
                    const GradientOptions& options = {});
  int next() override;
  void report(int task, double best_s, double spent_s) override;
  void finish(int task) override;

 private:
  // Of rounds after a task's first: relative gains, and those that were hoped for.
  struct Hope {
    double gained = 0, hoped = 0;
  };
  struct Progress {
    int begun = 0;               // rounds
    std::vector<double> best_s;  // after each round that was reported
    double spent_s = 0;
    Hope hope;
    bool is_finished = false;
  };
  struct Stopping {
    double latency_s = kNotMeasured;  // after the last round that improved it
    int idle_rounds = 0;
  };

  int first_round() const;
  int steepest() const;
  double forecast_s(int task) const;
  double alike_s(int task) const;
  double share_of_hope(int task) const;
  double round_s(int task) const;
  void leave_if_unlike(int task);
  void watch_for_stops(int task);

  std::vector<SchedulerTask> tasks_;
  const Objective objective_;
  const GradientOptions options_;
  const Networks networks_;
  std::vector<Progress> progress_;
  std::vector<double> best_s_;  // a task
  std::vector<Stopping> stopping_;
  std::vector<double> stopped_s_;  // a network, 0 while it goes on
};

}  // namespace hone::tune
