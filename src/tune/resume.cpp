// How a session begins: with what its folder holds, and how a trial is written there.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "base/error.h"
#include "space/hardware.h"
#include "tune/session.h"

namespace hone::tune {
namespace {

constexpr double kFailedCost = 1e10;  // as TVM writes it
constexpr int kPackedBefore = 2;      // layout option: constants arrive as the schedule reads them

}  // namespace

void Session::resume() {
  const record::RunLog& earlier = folder_.earlier();
  const auto refuse = [&](const char* what, const std::string& theirs, const std::string& ours) {
    throw UserError(
        fmt::format("{} holds a run for another {}: {}, not {}", folder_.path(), what, theirs, ours),
        "choose another folder with -o, or start over in this one with --fresh");
  };
  if (earlier.begin && earlier.begin->workload_key != workload_key_)
    refuse("task", earlier.begin->task, summary_.task);
  if (earlier.begin && earlier.begin->target != summary_.target)
    refuse("target", earlier.begin->target, summary_.target);
  if (earlier.begin && earlier.begin->replay != options_.replay)
    refuse("source of times", earlier.begin->replay.empty() ? "this machine" : earlier.begin->replay,
           options_.replay.empty() ? "this machine" : options_.replay);

  for (const record::LoggedTrial& logged : earlier.trials) {
    const bool counts = logged.record.workload_key == workload_key_ &&
                        logged.record.target == summary_.target && logged.compiler == summary_.compiler;
    if (!counts) {
      ++summary_.stale;
      continue;
    }
    Trial trial = trial_of(logged);
    if (!known_.insert(trial.candidate.key).second) continue;
    next_round_ = std::max(next_round_, trial.round + 1);
    add(trial);
  }
  for (const record::RoundNote& round : earlier.rounds) {
    summary_.progress.split.search_s += round.search_s;
    summary_.progress.split.score_s += round.score_s;
    summary_.progress.round = round;
  }
  summary_.progress.resumed = summary_.progress.trials;
  earlier_s_ = summary_.progress.at_s;
  begin_log();
}

void Session::begin_log() {
  folder_.write(kOptionsFile, to_toml(options_));
  folder_.append(record::Begin{.compiler = summary_.compiler,
                               .task = summary_.task,
                               .workload_key = workload_key_,
                               .target = summary_.target,
                               .replay = options_.replay,
                               .seed = options_.seed,
                               .time = parts_.meter->is_live() ? std::time(nullptr) : 0});
  write_summary(record::RunState::Running);
  folder_.say(fmt::format("{} {}", trials_.empty() ? "began" : "resumed", summary_.task));
  Started started{.task = summary_.task,
                  .target = summary_.target,
                  .folder = folder_.path(),
                  .compiler = summary_.compiler,
                  .machine = machine_name(parts_.target),
                  .flop = summary_.flop,
                  .dropped = folder_.torn_line(),
                  .stale = summary_.stale,
                  .unread = {}};
  for (const record::Problem& problem : folder_.earlier().problems)
    started.unread.push_back(fmt::format("{}:{}: {}", kRecordsFile, problem.line, problem.reason));
  tell(started);
}

record::TrialNote Session::note_of(const Trial& trial) {
  return {.round = trial.round,
          .score = trial.candidate.score,
          .build_s = trial.measurement.build_s,
          .run_s = trial.measurement.run_s,
          .at_s = trial.at_s,
          .message = trial.measurement.message};
}

record::Record Session::record_of(const Trial& trial) const {
  record::Record record;
  record.workload_key = workload_key_;
  record.target = summary_.target;
  const auto numbers = space::to_numbers(space::hardware_of(parts_.target));
  record.hardware.assign(numbers.begin(), numbers.end());
  record.layout_option = kPackedBefore;
  record.steps = trial.candidate.steps;
  record.error = static_cast<int>(trial.measurement.status);
  record.costs = trial.is_ok() ? trial.measurement.seconds : std::vector<double>{kFailedCost};
  record.all_cost = trial.measurement.build_s + trial.measurement.run_s;
  record.timestamp = parts_.meter->is_live() ? std::time(nullptr) : 0;
  return record;
}

}  // namespace hone::tune
