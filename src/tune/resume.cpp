// How a session begins: with what its folder holds.
#include <fmt/format.h>

#include <ctime>

#include "base/error.h"
#include "tune/session.h"

namespace hone::tune {

void Session::resume() {
  const record::RunLog& earlier = folder_.earlier();
  const auto refuse = [&](const char* what, const std::string& theirs, const std::string& ours) {
    throw UserError(
        fmt::format("{} holds a run for another {}: {}, not {}", folder_.path(), what, theirs, ours),
        "choose another folder with -o, or start over in this one with --fresh");
  };
  if (earlier.begin && earlier.begin->workload_key != lane_.workload_key())
    refuse("task", earlier.begin->task, summary_.task);
  if (earlier.begin && earlier.begin->target != summary_.target)
    refuse("target", earlier.begin->target, summary_.target);
  if (earlier.begin && earlier.begin->replay != options_.replay)
    refuse("source of times", earlier.begin->replay.empty() ? "this machine" : earlier.begin->replay,
           options_.replay.empty() ? "this machine" : options_.replay);

  for (const record::LoggedTrial& logged : earlier.trials) {
    const bool counts = logged.record.workload_key == lane_.workload_key() &&
                        logged.record.target == summary_.target && logged.compiler == summary_.compiler;
    if (!counts) {
      ++summary_.stale;
      continue;
    }
    const Trial trial = trial_of(logged);
    if (lane_.add_earlier(trial)) count(trial);
  }
  for (const record::RoundNote& round : earlier.rounds) summary_.progress.count(round);
  summary_.progress.resumed = summary_.progress.trials;
  earlier_s_ = summary_.progress.at_s;
  begin_log();
}

void Session::begin_log() {
  folder_.write(kOptionsFile, to_toml(options_));
  folder_.append(record::Begin{.compiler = summary_.compiler,
                               .task = summary_.task,
                               .workload_key = lane_.workload_key(),
                               .target = summary_.target,
                               .replay = options_.replay,
                               .seed = options_.seed,
                               .time = is_live_ ? std::time(nullptr) : 0});
  folder_.append_computation(lane_.workload_key(), lane_.task());
  write_summary(record::RunState::Running);
  folder_.say(fmt::format("{} {}", lane_.trials().empty() ? "began" : "resumed", summary_.task));
  Started started{.task = summary_.task,
                  .target = summary_.target,
                  .folder = folder_.path(),
                  .compiler = summary_.compiler,
                  .machine = machine_name(lane_.target()),
                  .scorer = scorer_name(options_),
                  .flop = summary_.flop,
                  .starts = lane_.n_starts(),
                  .dropped = folder_.torn_line(),
                  .stale = summary_.stale,
                  .unread = folder_.unread()};
  tell(started);
}

}  // namespace hone::tune
