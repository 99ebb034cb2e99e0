#include "cli/network_display.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "base/duration.h"
#include "cli/live_lines.h"
#include "cli/tune_text.h"

namespace hone::cli {
namespace {

constexpr double kLineEveryS = 30;
constexpr std::size_t kRows = 12;
constexpr std::size_t kNameWidth = 48;

double seconds_of(const tune::ChoiceState& choice) {
  const double one_s = std::isfinite(choice.best_s) ? choice.best_s : choice.untuned_s;
  return std::isfinite(one_s) ? one_s * choice.uses : 0;
}

void say_start(const tune::NetworkStarted& started, const tune::NetworkProgress& progress) {
  for (std::size_t i = 0; i < started.networks.size(); ++i)
    fmt::print(stderr, "model     {}  ({:.3g} GFLOP)\n", started.networks[i], started.flop[i] * 1e-9);
  fmt::print(stderr, "target    {}\n", started.machine);
  fmt::print(stderr, "scorer    {}\n", started.scorer);
  fmt::print(stderr, "tasks     {} of {} operators are distinct, {} with their alternatives\n",
             progress.choices.size(), started.operators, started.tasks);
  fmt::print(stderr, "run       {}{}\n", started.folder,
             progress.all.resumed > 0
                 ? fmt::format(", resumed after {}", print_trials(progress.all.resumed))
                 : std::string());
  say_unused(started.dropped, started.stale, started.unread);
}

std::string print_measured(const tune::NetworksMeasured& measured) {
  std::vector<std::string> times;
  for (const double seconds : measured.seconds) times.push_back(print_time(seconds));
  return fmt::format("{:<9} {}\n", measured.what, fmt::join(times, ", "));
}

std::string print_progress(const tune::NetworkProgress& progress) {
  return fmt::format("{} trial {} best {} ({}) failed {} task {}/{}",
                     print_clock(progress.all.session_s), progress.all.trials,
                     print_time(progress.all.best_s),
                     print_speedup(progress.all.baseline_s, progress.all.best_s), progress.all.failed(),
                     progress.current, progress.choices.size());
}

std::string print_failure(const tune::NetworkTrialEnded& ended, const tune::NetworkProgress& progress) {
  return fmt::format("task {}: {}: {}", progress.current,
                     worker::to_string(ended.trial.measurement.status),
                     ended.trial.measurement.message);
}

// What both kinds of display say the same way; false when the event is none of those.
template <class Say>
bool say_event(const tune::NetworkEvent& event, const tune::NetworkProgress& progress, bool verbose,
               const Say& say) {
  if (const auto* started = std::get_if<tune::NetworkStarted>(&event)) say_start(*started, progress);
  if (const auto* measured = std::get_if<tune::NetworksMeasured>(&event))
    say(print_measured(*measured));
  if (const auto* noted = std::get_if<tune::Noted>(&event)) say(print_note(noted->text));
  const auto* trial = std::get_if<tune::NetworkTrialEnded>(&event);
  if (trial != nullptr && !trial->trial.is_ok() && verbose) say(print_failure(*trial, progress) + "\n");
  return trial == nullptr && !std::holds_alternative<tune::Tick>(event);
}

class Lines {
 public:
  explicit Lines(bool verbose) : verbose_(verbose) {}

  void operator()(const tune::NetworkEvent& event, const tune::NetworkProgress& progress) {
    const auto say = [](const std::string& text) { fmt::print(stderr, "{}", text); };
    if (say_event(event, progress, verbose_, say)) return;
    const auto* trial = std::get_if<tune::NetworkTrialEnded>(&event);
    const bool is_due = progress.all.session_s - said_s_ >= kLineEveryS;
    if (!is_due && !(verbose_ && trial != nullptr && trial->is_best)) return;
    said_s_ = progress.all.session_s;
    fmt::print(stderr, "{}{}\n", print_progress(progress),
               is_due ? ", " + progress.all.doing : std::string());
  }

 private:
  const bool verbose_;
  double said_s_ = 0;
};

class Screen {
 public:
  explicit Screen(bool verbose) : verbose_(verbose) {}

  void operator()(const tune::NetworkEvent& event, const tune::NetworkProgress& progress) {
    say_event(event, progress, verbose_, [&](const std::string& text) { live_.say_above(text); });
    if (std::holds_alternative<tune::NetworkEnded>(event)) return live_.clear();
    if (live_.is_due()) live_.show(lines_of(progress));
  }

 private:
  std::vector<std::string> lines_of(const tune::NetworkProgress& progress) const {
    const tune::Progress& all = progress.all;
    std::vector<std::string> lines = table_of(progress, verbose_ ? 0 : kRows);
    lines.push_back(fmt::format("total     {}   {}   {}, failed {}", print_time(all.best_s),
                                print_speedup(all.baseline_s, all.best_s), print_trials(all.trials),
                                print_failures(all)));
    lines.push_back(fmt::format("time      {}{}   {}", print_clock(all.session_s),
                                std::isfinite(all.budget_s) ? " of " + print_clock(all.budget_s) : "",
                                print_split(all.split)));
    lines.push_back(fmt::format("now       {}", all.doing));
    lines.emplace_back("Ctrl-C  finish this batch, save, stop      Ctrl-C twice  stop at once");
    return lines;
  }

  const bool verbose_;
  LiveLines live_;
};

std::string print_row(const tune::NetworkProgress& progress, int number, double total_s) {
  const tune::ChoiceState& choice = progress.choices[static_cast<std::size_t>(number)];
  const bool is_known = std::isfinite(choice.best_s);
  return fmt::format("{:5}  {:<{}} {:>3} {:7}  {:>10} {:8}  {:>4.0f} %  {}{}", number,
                     choice.name.substr(0, kNameWidth), kNameWidth, choice.uses, choice.trials,
                     is_known ? print_time(choice.best_s) : "",
                     is_known ? fmt::format("{:.0f}", choice.flop / choice.best_s * 1e-9) : "",
                     total_s > 0 ? 100 * seconds_of(choice) / total_s : 0, choice.algorithm,
                     number == progress.current ? "  <- now" : "");
}

void print_event(const tune::NetworkEvent& event, const tune::NetworkProgress& progress) {
  const std::string line = tune::to_json(event, progress);
  if (line.empty()) return;
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

}  // namespace

std::vector<std::string> table_of(const tune::NetworkProgress& progress, std::size_t rows) {
  std::vector<int> order(progress.choices.size());
  std::iota(order.begin(), order.end(), 0);
  const auto seconds = [&](int i) { return seconds_of(progress.choices[static_cast<std::size_t>(i)]); };
  std::ranges::stable_sort(order, std::ranges::greater(), seconds);
  double total_s = 0;
  for (const int i : order) total_s += seconds(i);
  std::vector<std::string> lines = {fmt::format("{:>5}  {:<{}} {:>3} {:>7}  {:>10} {:>8}  {:>6}",
                                                "task", "operator", kNameWidth, "x", "trials", "best",
                                                "GFLOP/s", "share")};
  const std::size_t shown = rows == 0 ? order.size() : std::min(rows, order.size());
  for (std::size_t i = 0; i < shown; ++i) lines.push_back(print_row(progress, order[i], total_s));
  if (shown < order.size()) lines.push_back(fmt::format("  ... {} more (-v)", order.size() - shown));
  return lines;
}

tune::NetworkListener make_network_display(Show show, bool verbose) {
  switch (show) {
    case Show::Json:
      return print_event;
    case Show::Screen: {
      const auto screen = std::make_shared<Screen>(verbose);
      return [screen](const auto& event, const auto& progress) { (*screen)(event, progress); };
    }
    case Show::Lines:
      return Lines(verbose);
    case Show::Nothing:
      break;
  }
  return [](const tune::NetworkEvent&, const tune::NetworkProgress&) {};
}

}  // namespace hone::cli
