#include "cli/explain_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/explain_nest.h"
#include "cli/terminal.h"
#include "worker/status.h"

namespace hone::cli {
namespace {

using tune::ExplainedStep;
using tune::Otherwise;

constexpr double kLeastShare = 0.005;  // less is not shown

std::string cut(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, std::max<std::size_t>(width, 2) - 2) + "..";
}

// `["0123456789abcdef...", [1, 768]]` -> `01234567 [1, 768]`: sizes tell tasks apart.
std::string short_key(const std::string& key) {
  constexpr std::size_t kDigest = 32, kShown = 8, kBegin = 2;  // behind `["`
  const std::size_t end = key.find('"', kBegin);
  if (!key.starts_with("[\"") || end != kBegin + kDigest || key.size() < end + 3) return key;
  return key.substr(kBegin, kShown) + key.substr(end + 2, key.size() - end - 3);
}

class Text {
 public:
  Text(const ExplainReport& report, std::size_t width)
      : report_(report), width_(width), tells_speed_(tune::tells_speed(report.model)) {}

  std::string run() {
    add_head();
    add_steps();
    add_nest();
    add_learned();
    return std::move(out_);
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    out_ += fmt::format(format, std::forward<Values>(values)...) + "\n";
  }

  std::size_t room(std::size_t taken) const { return std::max<std::size_t>(width_, 80) - taken; }

  // "1.21x faster" of the logarithm of a ratio of scores.
  std::string factor(double gain) const {
    constexpr double kNothing = 0.005, kMost = 999;
    if (std::abs(gain) < kNothing) return "the same";
    const double ratio = std::exp(std::abs(gain));
    const std::string amount =
        ratio > kMost ? fmt::format(">{}x", kMost) : fmt::format("{:.2f}x", ratio);
    if (!tells_speed_) return amount + (gain > 0 ? " higher" : " lower");
    return amount + (gain > 0 ? " faster" : " slower");
  }

  std::string painted(double gain) const {
    const std::string text = factor(gain);
    return gain == 0 ? text : paint(text, gain > 0 ? Colour::Green : Colour::Red, stdout);
  }

  void add_head() {
    const RecordedProgram& program = report_.program;
    const tune::Explanation& found = report_.explanation;
    line("record    {}", program.origin);
    line("task      {}", cut(short_key(program.record.workload_key), room(10)));
    line("scorer    {}, {}{}", report_.scorer, report_.model.header.kind,
         tells_speed_ ? "" : "; it was taught an order: factors are of the score, not of time");
    const score::Prediction& said = found.said;
    const std::string doubt =
        said.spread > 0 ? fmt::format(", doubt {:.0f} %", 100 * said.spread / said.score) : "";
    line("predicted {}{}, {:.1f} % sure that it works",
         is_relative_speed(report_.model)
             ? fmt::format("{:.2f} times the best of its task", 1 / said.score)
             : fmt::format("score {:.4g}", said.score),
         doubt, 100 * said.valid);
    if (found.samples > 0)
      line("          number {} beside {} random programs of its task", found.rank, found.samples);
    line("measured  {}", measured());
  }

  std::string measured() const {
    const RecordedProgram& program = report_.program;
    if (!record::is_valid(program.record))
      return fmt::format("failed: {}",
                         worker::to_string(static_cast<worker::Status>(program.record.error)));
    const double best_s = record::best_cost(program.record);
    if (program.n_beside == 1)
      return fmt::format("{}, the only record of its task", print_time(best_s));
    return fmt::format("{}, {:.2f} times the best of {} records of its task", print_time(best_s),
                       best_s / program.best_beside_s, program.n_beside);
  }

  static std::string print_time(double seconds) {
    return seconds < 1e-3 ? fmt::format("{:.1f} us", seconds * 1e6)
                          : fmt::format("{:.3f} ms", seconds * 1e3);
  }

  static const Otherwise* undone(const ExplainedStep& step) {
    const auto found = std::ranges::find(step.others, true, &Otherwise::is_undone);
    return found == step.others.end() ? nullptr : &*found;
  }
  static double weight(const ExplainedStep& step) {
    const Otherwise* const none = undone(step);
    const double best = step.others.empty() ? 0 : std::abs(step.others.front().gain);
    return std::max(best, none == nullptr ? 0 : std::abs(none->gain));
  }

  // The steps that matter most, in their order.
  std::vector<std::size_t> main_steps() const {
    const std::vector<ExplainedStep>& steps = report_.explanation.steps;
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (!steps[i].others.empty()) chosen.push_back(i);
    std::ranges::stable_sort(chosen, std::ranges::greater{},
                             [&](std::size_t i) { return weight(steps[i]); });
    if (chosen.size() > report_.top) chosen.resize(report_.top);
    std::ranges::sort(chosen);
    return chosen;
  }

  void add_steps() {
    const std::vector<ExplainedStep>& steps = report_.explanation.steps;
    const std::vector<std::size_t> rows = main_steps();
    line("\nsteps     if one were another, all others as they are ({} of {})", rows.size(),
         steps.size());
    if (rows.empty()) return;
    std::size_t what = 4, is = 2, other = 10;  // widths
    for (const std::size_t i : rows) {
      what = std::max(what, steps[i].text.subject.size());
      is = std::max(is, steps[i].text.value.size());
      other = std::max(other, steps[i].others.front().value.size());
    }
    const std::size_t texts = room(39);
    what = std::min(what, texts * 2 / 5);
    other = std::min(other, (texts - what) / 2);
    is = std::min(is, texts - what - other);
    line(" step  {:<{}} {:<{}} {:<14} {:<{}}", "what", what, "is", is, "without it", "best other",
         other);
    for (const std::size_t i : rows) {
      const ExplainedStep& step = steps[i];
      const Otherwise* const none = undone(step);
      const Otherwise& best = step.others.front();
      line(" {:4}  {:<{}} {:<{}} {:<14} {:<{}} {}", i, cut(step.text.subject, what), what,
           cut(step.text.value, is), is, none == nullptr ? "" : factor(none->gain),
           cut(best.value, other), other, painted(best.gain));
    }
  }

  void add_nest() {
    if (report_.explanation.aspects.empty()) {
      line("\nloops     the scorer reads steps only, or no other programs of the task could be drawn");
      return;
    }
    line("\nloops     against random programs of the task, and the share in all such effects");
    const std::vector<ExplainedLine> lines = explained_nest(report_.explanation);
    std::size_t widest = 0;
    for (const ExplainedLine& each : lines) widest = std::max(widest, each.text.size());
    const std::size_t left = std::min(widest, room(0) / 2);
    for (const ExplainedLine& each : lines) {
      const std::string beside = aspects_of(each, room(left + 2));
      const bool is_of_loops = &each != &lines.back();
      if (beside.empty() && !is_of_loops) continue;
      out_ += beside.empty() ? cut(each.text, width_) + "\n"
                             : fmt::format("{:<{}}  {}\n", cut(each.text, left), left, beside);
    }
  }

  // As many as there is room for. One of another stage than the line's, which is computed inside of
  // the loop, has its name.
  std::string aspects_of(const ExplainedLine& each, std::size_t most) const {
    std::string text;
    std::size_t shown = 0;
    for (const tune::ExplainedAspect& aspect : each.aspects) {
      const auto stage = static_cast<std::size_t>(std::max(aspect.stage, 0));
      const std::string begin = fmt::format(
          "{}{}{} ", text.empty() ? "" : ", ",
          aspect.stage == each.stage ? "" : report_.explanation.state.stages[stage].name + " ",
          feature::to_string(aspect.aspect));
      const std::string end = fmt::format(" ({:.0f} %)", 100 * aspect.share);
      shown += begin.size() + factor(aspect.gain).size() + end.size();
      if (aspect.share < kLeastShare || (shown > most && !text.empty())) break;
      text += begin + painted(aspect.gain) + end;
    }
    return text;
  }

  void add_learned() {
    const Learned& learned = report_.learned;
    const bool has_programs = !learned.programs.empty();
    line("\nlearned   {}", learned.notes.empty() ? "from this very set" : learned.notes.front());
    for (std::size_t i = 1; i < learned.notes.size(); ++i) line("          {}", learned.notes[i]);
    if (has_programs) {
      line("          the nearest of {} programs, by {}; the median program is at distance 1",
           learned.compared, learned.is_by_hidden ? "what its last layer reads" : "their summaries");
      line(" program  distance  time / best  task");
    }
    const double unit = learned.median_distance > 0 ? learned.median_distance : 1;
    for (const LearnedProgram& one : learned.programs)
      line("{:8}  {:8.3f}  {:>11}  {}", one.number, one.distance / unit,
           std::isnan(one.time_to_best) ? "failed" : fmt::format("{:.2f}", one.time_to_best),
           one.is_itself ? "this very program" : cut(short_key(one.task), room(34)));
    if (!learned.tasks.empty()) line("doublings  task");
    for (const LearnedTask& one : learned.tasks)
      line("{:9.1f}  {}", one.distance, cut(short_key(one.key), room(11)));
  }

  const ExplainReport& report_;
  const std::size_t width_;
  const bool tells_speed_;
  std::string out_;
};

}  // namespace

bool is_relative_speed(const tune::AnyScorer& scorer) {
  return tune::tells_speed(scorer) && scorer.reads != tune::AnyScorer::Reads::Code;
}

std::string explain_text(const ExplainReport& report, std::size_t width) {
  return Text(report, width).run();
}

}  // namespace hone::cli
