#include "tune/network_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/error.h"
#include "graph/algorithms.h"
#include "task/analysis.h"
#include "tune/task_uses.h"

namespace hone::tune {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Small rounds while a task is new: many tasks want to be known a little before one is known well.
std::size_t round_size(int round) { return round < 2 ? 8 : 16; }

// The rounds of earlier sessions.
void report_earlier(const Lane& lane, int task, Scheduler& scheduler) {
  double best_s = kNotMeasured, spent_s = 0;
  for (std::size_t i = 0; i < lane.trials().size(); ++i) {
    const Trial& trial = lane.trials()[i];
    best_s = std::min(best_s, trial.best_s());
    spent_s += trial.measurement.build_s + trial.measurement.run_s;
    const bool is_last = i + 1 == lane.trials().size() || lane.trials()[i + 1].round != trial.round;
    if (!is_last) continue;
    scheduler.report(task, best_s, spent_s);
    spent_s = 0;
  }
}

// Of the choices: measured in the untuned network, or for other forms the estimate, scaled as the
// measured ones were off.
std::vector<double> untuned_times(const Plan& plan, const std::vector<Lane>& lanes,
                                  const std::vector<ChoiceState>& measured) {
  std::vector<double> times;
  double measured_s = 0, estimated = 0;
  for (std::size_t c = 0; c < plan.choices.size(); ++c) {
    const Lane& lane = lanes[at(plan.choices[c].alternatives[0].task)];
    times.push_back(estimated_s(lane.task(), lane.target()));
    if (!std::isfinite(measured[c].untuned_s)) continue;
    measured_s += measured[c].untuned_s;
    estimated += times[c];
  }
  for (std::size_t c = 0; c < times.size(); ++c)
    times[c] = std::isfinite(measured[c].untuned_s) ? measured[c].untuned_s
                                                    : times[c] * measured_s / estimated;
  return times;
}

// For the rehearsal and the measurements at the end. `build_s` is how long it takes to make the
// networks once: those with many weights need more time for the few versions without which a rehearsal
// says nothing.
double finals_budget_s(double budget_s, double build_s) {
  constexpr double kBuilds = 8, kMostShare = 0.4;
  const double versions_s = std::min(kBuilds * build_s, kMostShare * budget_s);
  return std::max(std::clamp(0.15 * budget_s, 1.0, 40.0), versions_s);
}

}  // namespace

NetworkSession::NetworkSession(Plan plan, const NetworkOptions& options,
                               const NetworkListener& listener, const std::atomic<bool>& stop)
    : plan_(std::move(plan)),
      options_(options),
      listener_(listener),
      stop_(stop),
      started_s_(now_s()),
      folder_(options.run.folder, options.run.fresh),
      scorer_(scorer_of(options.run, target::host())) {
  summary_.options = options_;
  summary_.progress.all.wanted = options_.run.trials;
  summary_.progress.all.budget_s = options_.run.budget_s;
  artefact::set_threads(options_.run.threads);
  open_store();
  make_lanes();
}

NetworkSummary NetworkSession::run() {
  resume();
  begin_log();
  recall();
  try {
    measure_untuned();
    if (options_.run.trials == 0) {
      choose_by_rank();
    } else {
      make_schedule();
      round_started_s_ = now_s();
      if (!has_enough()) Rounds(*this).run();
    }
    summary_.progress.current = -1;
    finish_networks();
    write_summary(stop_ ? record::RunState::Stopped : record::RunState::Done);
  } catch (...) {
    try {
      write_summary(record::RunState::Failed);
    } catch (const UserError&) {  // the reason for the failure says more
    }
    throw;
  }
  tell(NetworkEnded{summary_});
  return std::move(summary_);
}

// What is known beforehand of every task: how long it takes untuned, in the network.
void NetworkSession::make_schedule() {
  std::vector<SchedulerTask> tasks(plan_.tasks.size());
  const Times expected{untuned_times(plan_, lanes_, summary_.progress.choices), conversions_s_};
  const std::vector<std::vector<TaskUse>> uses = task_uses(plan_, expected);
  for (std::size_t t = 0; t < tasks.size(); ++t) tasks[t].uses = uses[t];
  for (std::size_t c = 0; c < plan_.choices.size(); ++c) {
    const Choice& choice = plan_.choices[c];
    const double flop = task::flop_count(*plan_.tasks[at(choice.alternatives[0].task)]);
    for (const Alternative& alternative : choice.alternatives) {
      SchedulerTask& task = tasks[at(alternative.task)];
      const Lane& lane = lanes_[at(alternative.task)];
      task.flops = task::flop_count(lane.task());
      task.tag = lane.workload_key().substr(0, lane.workload_key().find(','));
      // Fewer operations take less time, if all goes well.
      const double share = flop > 0 ? std::min(1.0, task.flops / flop) : 1;
      task.expected_s = share * expected.choices_s[c];
    }
  }
  scheduler_ = make_scheduler(options_.scheduler, tasks, options_.objective, options_.run.seed);
  for (std::size_t t = 0; t < lanes_.size(); ++t) {
    const bool is_wanted =
        options_.only.empty() || std::ranges::count(options_.only, choice_of_task_[t]) > 0;
    report_earlier(lanes_[t], static_cast<int>(t), *scheduler_);
    if (!is_wanted) scheduler_->finish(static_cast<int>(t));
  }
}

bool NetworkSession::has_enough() const {
  return stop_ || trials_left(options_.run, at(summary_.progress.all.trials)) == 0;
}

bool NetworkSession::is_over() const {
  const double budget_s = options_.run.budget_s;
  double build_s = 0;
  for (const Version& version : untuned_) build_s += version.build_s();
  return has_enough() || now_s() - started_s_ >= budget_s - finals_budget_s(budget_s, build_s);
}

Rounds::Order NetworkSession::next(std::size_t in_flight) {
  const std::size_t left = trials_left(options_.run, at(summary_.progress.all.trials) + in_flight);
  if (left == 0) return {};
  for (int task = scheduler_->next(); task >= 0; task = scheduler_->next()) {
    Lane& lane = lanes_[at(task)];
    if (!lane.is_exhausted()) return {&lane, std::min(left, round_size(lane.next_round()))};
    scheduler_->finish(task);
  }
  return {};
}

void NetworkSession::waits_for(const char* what) {
  summary_.progress.all.doing = what;
  tell(Tick{});
}

std::size_t NetworkSession::number_of(const Lane& lane) const {
  return static_cast<std::size_t>(&lane - lanes_.data());
}

void NetworkSession::measured(Lane& lane, Trial trial) {
  trial.at_s = clock_s();
  folder_.append(lane.record_of(trial), note_of(trial));
  const int choice = choice_of_task_[number_of(lane)];
  const double before_s = summary_.progress.choices[at(choice)].best_s;
  lane.add(trial);
  summary_.progress.current = choice;
  count(trial);
  if (!trial.is_ok()) {
    folder_.say(fmt::format("{}: {}: {}", lane.task().name, worker::to_string(trial.measurement.status),
                            trial.measurement.message));
  }
  tell(NetworkTrialEnded{trial, trial.is_ok() && trial.best_s() < before_s});
}

void NetworkSession::count(const Trial& trial) {
  summary_.progress.all.count(trial);
  refresh();
}

// The table, and what the networks take if every choice runs as fast in them as alone. What has no
// trial yet counts as it was measured in the untuned network.
void NetworkSession::refresh() {
  double sum_s = 0;
  std::vector<double> best_s;
  for (std::size_t c = 0; c < plan_.choices.size(); ++c) {
    const Choice& choice = plan_.choices[c];
    ChoiceState& state = summary_.progress.choices[c];
    state.trials = 0;
    for (const Alternative& alternative : choice.alternatives) {
      const Lane& lane = lanes_[at(alternative.task)];
      state.trials += static_cast<int>(lane.trials().size());
      if (lane.best_s() >= state.best_s) continue;
      state.best_s = lane.best_s();
      state.algorithm = graph::name_of(alternative.algorithm);
      if (choice.form != graph::Form::Plain)
        state.algorithm += fmt::format(" {}", graph::name_of(choice.form));
    }
    best_s.push_back(state.best_s);
    state.uses = 0;
  }
  const Times times = measured_times(plan_, best_s, conversions_s_);
  for (std::size_t n = 0; n < plan_.networks.size(); ++n) {
    const std::vector<double> uses = uses_of(plan_, n, choose_options(plan_, n, times));
    for (std::size_t c = 0; c < uses.size(); ++c) {
      ChoiceState& state = summary_.progress.choices[c];
      const double one_s = std::isfinite(state.best_s) ? state.best_s : state.untuned_s;
      if (std::isfinite(one_s)) sum_s += one_s * uses[c];
      state.uses += uses[c];
    }
  }
  summary_.progress.all.best_s = sum_s;
}

void NetworkSession::ended(Lane& lane, const Batch& batch, std::span<const Trial> trials) {
  Progress& progress = summary_.progress.all;
  progress.count(note_of(batch, trials));
  folder_.append(progress.round);
  scheduler_->report(static_cast<int>(number_of(lane)), lane.best_s(), now_s() - round_started_s_);
  round_started_s_ = now_s();
  keep_winner(lane);
}

double NetworkSession::clock_s() const { return earlier_s_ + now_s() - started_s_; }

void NetworkSession::tell(const NetworkEvent& event) {
  summary_.progress.all.session_s = now_s() - started_s_;
  if (listener_) listener_(event, summary_.progress);
}

}  // namespace hone::tune
