#include "cli/tune_display.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "base/duration.h"
#include "base/match.h"
#include "cli/environment.h"
#include "cli/live_lines.h"
#include "cli/tune_text.h"

namespace hone::cli {
namespace {

constexpr double kLineEveryS = 30;

void say_start(const tune::Started& started, const tune::Progress& progress) {
  fmt::print(stderr, "task      {}  ({:.3g} GFLOP)\n", started.task, started.flop * 1e-9);
  fmt::print(stderr, "target    {}\n", started.machine);
  fmt::print(stderr, "scorer    {}\n", started.scorer);
  fmt::print(stderr, "run       {}{}\n", started.folder,
             progress.resumed > 0 ? fmt::format(", resumed after {}", print_trials(progress.resumed))
                                  : std::string());
  if (started.starts > 0)
    fmt::print(stderr, "store     {} found by earlier runs to begin with\n", started.starts);
  say_unused(started.dropped, started.stale, started.unread);
}

std::string print_progress(const tune::Progress& progress) {
  const std::string best = std::isfinite(progress.best_s)
                               ? fmt::format("{} ({})", print_time(progress.best_s),
                                             print_speedup(progress.baseline_s, progress.best_s))
                               : "none yet";
  return fmt::format("{} trial {} best {} failed {}", print_clock(progress.session_s), progress.trials,
                     best, progress.failed());
}

std::string print_round(const record::RoundNote& round) {
  const auto known = [](double value) {
    return std::isnan(value) ? std::string("none") : fmt::format("{:.2f}", value);
  };
  return fmt::format("round {}: rank correlation {}, top-1 {}, search {:.2f} s, score {:.2f} s",
                     round.round, known(round.rank_correlation), known(round.top1), round.search_s,
                     round.score_s);
}

std::string print_failure(const tune::TrialEnded& ended) {
  return fmt::format("trial {}: {}: {}", ended.number,
                     worker::to_string(ended.trial.measurement.status),
                     ended.trial.measurement.message);
}

class Lines {
 public:
  explicit Lines(bool verbose) : verbose_(verbose) {}

  void operator()(const tune::Event& event, const tune::Progress& progress) {
    if (const auto* started = std::get_if<tune::Started>(&event)) say_start(*started, progress);
    const auto* trial = std::get_if<tune::TrialEnded>(&event);
    if (const auto* noted = std::get_if<tune::Noted>(&event))
      fmt::print(stderr, "{}", print_note(noted->text));
    if (const auto* round = std::get_if<tune::RoundEnded>(&event); round != nullptr && verbose_)
      fmt::print(stderr, "{}\n", print_round(round->round));
    if (trial != nullptr && !trial->trial.is_ok() && verbose_)
      fmt::print(stderr, "{}\n", print_failure(*trial));
    const bool is_due = progress.session_s - said_s_ >= kLineEveryS;
    if (!is_due && (trial == nullptr || !trial->is_best)) return;
    said_s_ = progress.session_s;
    fmt::print(stderr, "{}{}\n", print_progress(progress),
               is_due ? ", " + progress.doing : std::string());
  }

 private:
  const bool verbose_;
  double said_s_ = 0;
};

class Screen {
 public:
  explicit Screen(bool verbose) : verbose_(verbose) {}

  void operator()(const tune::Event& event, const tune::Progress& progress) {
    if (const auto* started = std::get_if<tune::Started>(&event)) {
      say_start(*started, progress);
      flop_ = started->flop;
    }
    if (const auto* round = std::get_if<tune::RoundEnded>(&event); round != nullptr && verbose_)
      live_.say_above(print_round(round->round) + "\n");
    if (const auto* noted = std::get_if<tune::Noted>(&event)) live_.say_above(print_note(noted->text));
    const auto* trial = std::get_if<tune::TrialEnded>(&event);
    if (trial != nullptr && !trial->trial.is_ok() && verbose_)
      live_.say_above(print_failure(*trial) + "\n");
    if (std::holds_alternative<tune::Ended>(event)) return live_.clear();
    if (live_.is_due()) live_.show(lines_of(progress));
  }

 private:
  std::vector<std::string> lines_of(const tune::Progress& progress) const {
    std::vector<std::string> lines;
    if (std::isfinite(progress.baseline_s))
      lines.push_back(fmt::format("untuned   {}", print_rate(progress.baseline_s)));
    lines.push_back(fmt::format(
        "best      {}",
        std::isfinite(progress.best_s)
            ? fmt::format("{}   {}   trial {}", print_rate(progress.best_s),
                          print_speedup(progress.baseline_s, progress.best_s), progress.best_trial)
            : "none yet"));
    lines.push_back(fmt::format("trials    {}{}   failed {}", progress.trials,
                                progress.wanted > 0 ? fmt::format(" of {}", progress.wanted) : "",
                                print_failures(progress)));
    if (!std::isnan(progress.round.rank_correlation))
      lines.push_back(fmt::format("model     rank correlation {:.2f}, top-1 {:.2f} on round {}",
                                  progress.round.rank_correlation, progress.round.top1,
                                  progress.round.round));
    const double done = progress.trials - progress.resumed;
    lines.push_back(
        fmt::format("time      {}{}   {}   {:.1f} trials/s", print_clock(progress.session_s),
                    std::isfinite(progress.budget_s) ? " of " + print_clock(progress.budget_s) : "",
                    print_split(progress.split), done / std::max(progress.session_s, 1e-3)));
    lines.push_back(fmt::format("now       {}", progress.doing));
    lines.push_back("Ctrl-C  finish this batch, save, stop      Ctrl-C twice  stop at once");
    return lines;
  }
  std::string print_rate(double seconds) const {
    return fmt::format("{:>10}   {:6.1f} GFLOP/s", print_time(seconds), flop_ / seconds * 1e-9);
  }

  const bool verbose_;
  double flop_ = 0;
  LiveLines live_;
};

void print_event(const tune::Event& event, const tune::Progress& progress) {
  const std::string line = tune::to_json(event, progress);
  if (line.empty()) return;
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

}  // namespace

Show default_show() {
  return wants_progress() && isatty(STDERR_FILENO) != 0 ? Show::Screen : Show::Lines;
}

tune::Listener make_display(Show show, bool verbose) {
  switch (show) {
    case Show::Json:
      return print_event;
    case Show::Screen:
      return Screen(verbose);
    case Show::Lines:
      return Lines(verbose);
    case Show::Nothing:
      break;
  }
  return [](const tune::Event&, const tune::Progress&) {};
}

}  // namespace hone::cli
