#include "tune/gradient_scheduler.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"

namespace hone::tune {
namespace {

// Ansor's.
constexpr double kAlpha = 0.2;
constexpr double kBeta = 2;
constexpr std::size_t kWindow = 3;       // rounds that the backward gain is a mean of
constexpr int kRoundsToProveUnlike = 5;  // more than all tasks of its tag had

// A network that got faster by less has not improved: kernels' times repeat no better.
constexpr double kLeastImprovement = 0.001;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

GradientScheduler::GradientScheduler(std::vector<SchedulerTask> tasks, const Objective& objective,
                                     const GradientOptions& options)
    : tasks_(std::move(tasks)),
      objective_(objective),
      options_(options),
      networks_(tasks_),
      progress_(tasks_.size()),
      best_s_(tasks_.size(), kNotMeasured),
      stopping_(networks_.count()),
      stopped_s_(networks_.count(), 0) {
  for (const SchedulerTask& task : tasks_) {
    check(task.expected_s > 0 && std::isfinite(task.expected_s), "every task is expected to take time");
  }
}

int GradientScheduler::next() {
  int task = first_round();
  if (task < 0) task = steepest();
  if (task >= 0) ++progress_[at(task)].begun;
  return task;
}

void GradientScheduler::report(int task, double best_s, double spent_s) {
  Progress& progress = progress_[at(task)];
  const double before = best_s_[at(task)];
  best_s_[at(task)] = std::min(before, best_s);
  if (!progress.best_s.empty()) {
    progress.hope.gained += before < kNotMeasured ? 1 - best_s_[at(task)] / before : 0;
    progress.hope.hoped += 1 / static_cast<double>(progress.best_s.size());
  }
  progress.best_s.push_back(best_s_[at(task)]);
  progress.begun = std::max(progress.begun, static_cast<int>(progress.best_s.size()));
  progress.spent_s += spent_s;
  leave_if_unlike(task);
  watch_for_stops(task);
}

void GradientScheduler::finish(int task) { progress_[at(task)].is_finished = true; }

// The one with the most at stake among those that had no round and could win, the fastest alternative
// of a group first: should time run out, the dear ones have been tuned.
int GradientScheduler::first_round() const {
  std::vector<bool> has_begun;
  for (const Progress& progress : progress_) has_begun.push_back(progress.begun > 0);
  int best = -1;
  double most = 0;
  for (int task = 0; task < static_cast<int>(tasks_.size()); ++task) {
    if (has_begun[at(task)] || progress_[at(task)].is_finished) continue;
    if (!networks_.would_be_taken(task, tasks_[at(task)].floor_s, best_s_)) continue;
    const double stake = networks_.stake_s(task, best_s_, has_begun);
    if (stake <= most) continue;
    best = task;
    most = stake;
  }
  return best;
}

int GradientScheduler::steepest() const {
  std::vector<double> tasks_s = best_s_;
  const double now = value_of(objective_, networks_.latencies_s(tasks_s), stopped_s_);
  int best = -1;
  double most = 0;
  for (int task = 0; task < static_cast<int>(tasks_.size()); ++task) {
    if (progress_[at(task)].is_finished) continue;
    tasks_s[at(task)] = std::min(best_s_[at(task)], forecast_s(task));
    const double then = value_of(objective_, networks_.latencies_s(tasks_s), stopped_s_);
    tasks_s[at(task)] = best_s_[at(task)];
    const double gain = (now - then) / (options_.counts_seconds ? round_s(task) : 1);
    if (gain <= most) continue;
    best = task;
    most = gain;
  }
  return best;
}

double GradientScheduler::forecast_s(int task) const {
  const Progress& progress = progress_[at(task)];
  const bool is_measured = best_s_[at(task)] < kNotMeasured;
  const double now = is_measured ? best_s_[at(task)] : tasks_[at(task)].expected_s;
  double backward = 0;
  const std::size_t rounds = progress.best_s.size();
  if (rounds > kWindow && progress.best_s[rounds - 1 - kWindow] < kNotMeasured) {
    backward = (now - progress.best_s[rounds - 1 - kWindow]) / static_cast<double>(kWindow);
  }
  const double hope = std::min(now - now / std::max(progress.begun, 1), alike_s(task)) - now;
  const double forward = hope * (options_.scales_hope ? share_of_hope(task) : 1);
  return std::max(now + kAlpha * backward + (1 - kAlpha) * forward, tasks_[at(task)].floor_s);
}

// Infinite when nothing is like the task.
double GradientScheduler::alike_s(int task) const {
  const SchedulerTask& own = tasks_[at(task)];
  double fastest = 0;  // flops a second
  for (std::size_t other = 0; other < tasks_.size(); ++other) {
    if (other == at(task) || own.tag.empty() || tasks_[other].tag != own.tag) continue;
    fastest = std::max(fastest, tasks_[other].flops / best_s_[other]);
  }
  return fastest > 0 && own.flops > 0 ? kBeta * own.flops / fastest : kNotMeasured;
}

// How much of what was hoped for came true: all of it at first, as if one hope had been fulfilled.
double GradientScheduler::share_of_hope(int task) const {
  Hope all{1, 1}, like_it;
  for (std::size_t other = 0; other < tasks_.size(); ++other) {
    const Hope& hope = progress_[other].hope;
    all = {all.gained + hope.gained, all.hoped + hope.hoped};
    const bool is_like_it =
        other == at(task) || (!tasks_[other].tag.empty() && tasks_[other].tag == tasks_[at(task)].tag);
    if (is_like_it) like_it = {like_it.gained + hope.gained, like_it.hoped + hope.hoped};
  }
  return (all.gained / all.hoped + like_it.gained) / (1 + like_it.hoped);
}

// A task that stays slow after many more rounds than those of its tag had is not like them after all.
void GradientScheduler::leave_if_unlike(int task) {
  int most_rounds = 0;
  for (std::size_t other = 0; other < tasks_.size(); ++other) {
    if (other == at(task) || tasks_[other].tag != tasks_[at(task)].tag) continue;
    most_rounds = std::max(most_rounds, progress_[other].begun);
  }
  const bool had_its_chance = progress_[at(task)].begun > most_rounds + kRoundsToProveUnlike;
  if (had_its_chance && best_s_[at(task)] > alike_s(task)) tasks_[at(task)].tag.clear();
}

// The mean of its rounds and of one as long as the mean of all tasks' rounds. 1 when no time was
// reported at all.
double GradientScheduler::round_s(int task) const {
  double spent = 0;
  std::size_t rounds = 0;
  for (const Progress& progress : progress_) {
    spent += progress.spent_s;
    rounds += progress.best_s.size();
  }
  if (spent == 0) return 1;
  const Progress& own = progress_[at(task)];
  return (own.spent_s + spent / static_cast<double>(rounds)) /
         static_cast<double>(own.best_s.size() + 1);
}

// First rounds, of which a network has many, are never idle.
void GradientScheduler::watch_for_stops(int task) {
  const bool is_first = progress_[at(task)].best_s.size() == 1;
  const std::vector<double> latencies = networks_.latencies_s(best_s_);
  std::set<int> used_in;
  for (const TaskUse& use : tasks_[at(task)].uses) used_in.insert(use.network);
  for (const int network : used_in) {
    Stopping& stopping = stopping_[at(network)];
    const double latency = latencies[at(network)];
    if (is_first || latency < stopping.latency_s * (1 - kLeastImprovement)) {
      stopping = {latency, 0};
    } else if (++stopping.idle_rounds == objective_.patience) {
      stopped_s_[at(network)] = latency;
    }
  }
}

}  // namespace hone::tune
