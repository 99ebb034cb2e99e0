#include "tune/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

#include "base/affinity.h"
#include "base/clock.h"
#include "base/duration.h"
#include "base/error.h"
#include "schedule/step_json.h"
#include "task/analysis.h"
#include "task/key.h"
#include "tune/finals.h"

namespace hone::tune {
namespace {

constexpr double kFinalsS = 2;        // for the re-measurement at the end,
constexpr double kFinalsShare = 0.1;  // or so much of a short budget

double finals_budget_s(const Options& options) {
  return std::min(kFinalsS, kFinalsShare * options.budget_s);
}

// Small rounds while the model knows little, so that it learns early; later ones cost less search a
// trial.
std::size_t round_size(int round) { return round < 4 ? 8 : 16; }

}  // namespace

Session::Session(Parts parts, const Options& options, const Listener& listener,
                 const std::atomic<bool>& stop)
    : options_(options),
      listener_(listener),
      stop_(stop),
      started_s_(parts.started_s),
      is_live_(parts.meter->is_live()),
      folder_(options.folder, options.fresh),
      lane_(std::move(parts)) {
  summary_.task = lane_.task().name;
  summary_.target = target::to_string(lane_.target());
  summary_.compiler = compiler_name();
  summary_.flop = task::flop_count(lane_.task());
  summary_.options = options_;
  summary_.progress.wanted = options_.trials;
  summary_.progress.budget_s = options_.budget_s;
}

Summary Session::run() {
  resume();
  try {
    if (options_.trials == 0 && lane_.best() < 0) choose_by_rank();
    if (!has_enough()) Rounds(*this).run();
    summary_.exhausted = lane_.is_exhausted();
    summary_.trials_per_s =
        (summary_.progress.trials - summary_.progress.resumed) / (now_s() - started_s_);
    const bool stopped = stop_;
    if (!stopped) find_winner();
    write_summary(stopped ? record::RunState::Stopped : record::RunState::Done);
  } catch (...) {
    try {
      write_summary(record::RunState::Failed);
    } catch (const UserError&) {  // the reason for the failure says more
    }
    throw;
  }
  summary_.trials = lane_.trials();
  summary_.winners = winners_of(lane_, summary_.finals);
  tell(Ended{summary_});
  return std::move(summary_);
}

double Session::clock_s() const { return earlier_s_ + now_s() - started_s_; }

void Session::tell(const Event& event) {
  summary_.progress.session_s = now_s() - started_s_;
  if (listener_) listener_(event, summary_.progress);
}

bool Session::has_enough() const { return stop_ || trials_left(options_, lane_.trials().size()) == 0; }

bool Session::is_over() const {
  return has_enough() || now_s() - started_s_ >= options_.budget_s - finals_budget_s(options_);
}

Rounds::Order Session::next(std::size_t in_flight) {
  const std::size_t left = trials_left(options_, lane_.trials().size() + in_flight);
  if (lane_.is_exhausted() || left == 0) return {};
  return {&lane_, std::min(left, round_size(lane_.next_round()))};
}

void Session::waits_for(const char* what) {
  summary_.progress.doing = what;
  tell(Tick{});
}

void Session::measured(Lane& lane, Trial trial) {
  // A run that only repeats times has only their clock.
  trial.at_s = is_live_ ? clock_s()
                        : summary_.progress.at_s + trial.measurement.build_s + trial.measurement.run_s;
  folder_.append(lane.record_of(trial), note_of(trial));
  lane.add(trial);
  count(trial);
  const int number = summary_.progress.trials - 1;
  const bool is_best = number == summary_.progress.best_trial;
  if (is_best) folder_.say(fmt::format("trial {}: {}", number, print_time(trial.best_s())));
  if (!trial.is_ok()) {
    folder_.say(fmt::format("trial {}: {}: {}", number, worker::to_string(trial.measurement.status),
                            trial.measurement.message));
  }
  tell(TrialEnded{number, trial, is_best});
}

void Session::count(const Trial& trial) {
  summary_.progress.count(trial);
  if (std::isfinite(lane_.baseline_s())) summary_.progress.baseline_s = lane_.baseline_s();
}

void Session::ended(Lane& /*lane*/, const Batch& batch, std::span<const Trial> trials) {
  Progress& progress = summary_.progress;
  progress.count(note_of(batch, trials));
  folder_.append(progress.round);
  tell(RoundEnded{progress.round});
  tell_trouble();
}

void Session::tell_trouble() {
  if (told_trouble_ || folder_.table_trouble().empty()) return;
  told_trouble_ = true;
  tell(Noted{fmt::format("{} is no longer written: {}", kDatabaseFile, folder_.table_trouble())});
}

void Session::find_winner() {
  if (!summary_.has_answer()) return;
  summary_.progress.doing = "measuring the best again";
  tell(Tick{});
  summary_.finals =
      finals_of(lane_.trials(), lane_.baseline(), lane_.meter(), finals_budget_s(options_));
  if (summary_.ranked >= 0) summary_.finals->winner = summary_.finals->index_of(summary_.ranked);
  tell(FinalsEnded{*summary_.finals});
}

void Session::write_summary(record::RunState state) {
  summary_.state = state;
  if (is_live_) summary_.progress.at_s = clock_s();
  if (summary_.has_answer()) {
    const Finals::Finalist* winner = summary_.finals ? summary_.finals->winning() : nullptr;
    const int trial = winner != nullptr ? winner->trial : summary_.progress.best_trial;
    summary_.best_steps = lane_.trials()[static_cast<std::size_t>(trial)].candidate.key;
  }
  folder_.write(kSummaryFile, to_json(summary_) + "\n");
  if (state == record::RunState::Running) return;
  folder_.append(record::End{state, summary_.baseline_s(), summary_.best_s()});
  folder_.say(fmt::format("{}: {} trials, {} failed", record::to_string(state),
                          summary_.progress.trials, summary_.progress.failed()));
}

}  // namespace hone::tune
