// `hone tune`: searches for the fastest program of one computation, in a folder that it can resume
// from.
#include <fmt/format.h>
#include <signal.h>

#include <cmath>

#include "base/duration.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "cli/tune_display.h"
#include "cli/tune_network.h"
#include "cli/tune_plan.h"
#include "cli/tune_text.h"
#include "cli/user_store.h"
#include "record/reader.h"
#include "tune/plot.h"
#include "tune/tune.h"
#include "tune/warm_start.h"

namespace hone::cli {
namespace {

using record::RunState;

constexpr int kStarts = 4;  // of the first eight trials, from the store

void print_answer(const tune::Summary& summary) {
  const tune::Progress& progress = summary.progress;
  const tune::Finals::Finalist* winner = summary.finals ? summary.finals->winning() : nullptr;
  const bool keeps_baseline =
      summary.finals && winner != nullptr && summary.finals->winner == summary.finals->baseline;
  fmt::print("{:<9} {} -> {}{}   {} in {}, {}, {} failed\n", record::to_string(summary.state),
             std::isfinite(summary.baseline_s()) ? print_time(summary.baseline_s()) : "untuned",
             print_time(summary.best_s()),
             winner != nullptr ? fmt::format(" ± {:.1f} %", 100 * winner->times.warm.noise) : "",
             print_speedup(summary.baseline_s(), summary.best_s()), print_clock(progress.session_s),
             print_trials(progress.trials), progress.failed());
  fmt::print(
      "speed     {:.1f} GFLOP/s{}\n", summary.flop / summary.best_s() * 1e-9,
      winner != nullptr && winner->times.cold_s > 0
          ? fmt::format("; {} with the constants out of the caches", print_time(winner->times.cold_s))
          : "");
  if (summary.ranked >= 0)
    fmt::print("ranked    first by {}: chosen without a trial, measured for this report only\n",
               tune::scorer_name(summary.options));
  if (keeps_baseline)
    fmt::print("kept      what hone emits untuned: no candidate beats it beyond noise\n");
  if (winner != nullptr && winner->times.warm.checked)
    fmt::print("checked   the winner's answer is right\n");
  if (summary.finals && !std::isnan(summary.finals->drift))
    fmt::print("{}", print_drift(summary.finals->drift));
}

void print_failures_in_detail(const tune::Progress& progress) {
  for (std::size_t i = 0; i < tune::kStatuses; ++i) {
    const tune::Failures& one = progress.failures[i];
    if (one.count == 0) continue;
    fmt::print("failed    {} {}{}\n", one.count, worker::to_string(static_cast<measure::Status>(i)),
               one.example.empty() ? "" : ", for example: " + one.example);
  }
}

// The line of the log with the first trial that failed; 0 when there is none.
std::int64_t first_failure(const std::string& log) {
  std::int64_t first = 0;
  record::read_records(
      log,
      [&](record::Record&& record, std::int64_t line) {
        if (first == 0 && record.error != 0) first = line;
      },
      [](const record::Problem&) {});
  return first;
}

// How to look at one of the candidates of a run of which none gave a right answer.
void print_next_after_failure(const tune::Options& run) {
  const std::string log = run.folder + "/records.jsonl";
  if (const std::int64_t line = first_failure(log); line > 0)
    fmt::print("next      hone inspect --op {} --record {}:{} --source loops\n", run.op, log, line);
}

void print_report(const Tune& options, const tune::Summary& summary) {
  if (summary.has_answer()) print_answer(summary);
  print_failures_in_detail(summary.progress);
  if (summary.nothing_to_tune()) {
    fmt::print("nothing to tune: the computation has one candidate only\n");
  } else if (summary.exhausted) {
    fmt::print("all of the space was measured\n");
  }
  if (summary.progress.trials > summary.progress.resumed) {
    fmt::print("time      {}, {:.1f} trials/s\n", print_split(summary.progress.split),
               summary.trials_per_s);
  }
  fmt::print("wrote     {}  (records.jsonl  run.db  run.toml  summary.json  log.txt)\n",
             options.run.folder);
  if (summary.state == RunState::Stopped) fmt::print("next      the same command goes on from here\n");
  if (!summary.has_answer() && summary.progress.failed() > 0) print_next_after_failure(options.run);
  if (summary.has_answer() && summary.state == RunState::Done)
    fmt::print("next      hone bench --op {} --record {}/records.jsonl\n", options.run.op,
               options.run.folder);
}

}  // namespace

int tune_command(const Tune& options) {
  if (!options.models.empty()) return tune_network(options);
  const Interrupt interrupt;
  signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error to report, not a death
  if (!options.note.empty() && !options.quiet) fmt::print(stderr, "{}", print_note(options.note));
  const auto task = load_task({.op = options.run.op, .file = {}, .record = {}});
  tune::Parts parts = tune::make_parts(task, options.run);
  if (options.dry_run) return say_plan(options, parts);
  UserStore user_store(!options.no_store && options.run.replay.empty());
  user_store.use([&](const record::Store& store) {
    parts.starts = tune::warm_starts(task, parts.target, options.run.space, store, kStarts);
  });
  const Show show = options.json ? Show::Json : options.quiet ? Show::Nothing : default_show();
  const tune::Summary summary =
      tune::run(std::move(parts), options.run, make_display(show, options.verbose), interrupt.asked());
  user_store.use([&](record::Store& store) {
    for (const record::Record& winner : summary.winners) store.add(*task, winner, summary.compiler);
  });
  if (!options.plot.empty()) write_whole(options.plot, tune::plot(summary));
  if (!options.json) print_report(options, summary);
  if (summary.state == RunState::Stopped) return kStopped;
  if (summary.has_answer()) return kDone;
  fmt::print(stderr, "{} none of {} gave a right answer\n", paint("failed:", Colour::Red, stderr),
             print_trials(summary.progress.trials));
  return kAnswerIsNo;
}

}  // namespace hone::cli
