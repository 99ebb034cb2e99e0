// `hone demo`: one convolution layer, what hone emits for it untuned against the best of a short sweep.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/clock.h"
#include "base/duration.h"
#include "base/match.h"
#include "base/random.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/measuring.h"
#include "codegen/peak.h"
#include "schedule/step_json.h"
#include "space/tiling.h"
#include "task/analysis.h"

namespace hone::cli {
namespace {

using TaskPtr = std::shared_ptr<const task::Task>;

// The analytic choice first, then different random ones.
std::vector<schedule::Steps> draw_candidates(const task::Task& task, const target::Target& target,
                                             int threads, int trials) {
  const auto roles = space::structure(task, task::analyse(task));
  std::vector<schedule::Steps> candidates = {
      space::steps_for(task, roles, space::analytic_choice(task, roles, target, threads))};
  std::set<std::string> seen = {schedule::to_json(candidates.front())};
  std::uint64_t drawn = 0;
  const space::Draw draw = [&](std::int64_t n) {
    constexpr std::uint64_t kSeed = 1, kStream = 0;
    return static_cast<std::int64_t>(
        below(static_cast<std::uint64_t>(n), random_bits(kSeed, kStream, drawn++)));
  };
  // A small task may have fewer candidates than are asked for.
  for (int attempt = 0; attempt < 10 * trials && std::ssize(candidates) < trials; ++attempt) {
    schedule::Steps steps =
        space::steps_for(task, roles, space::random_choice(task, roles, target, threads, draw));
    if (seen.insert(schedule::to_json(steps)).second) candidates.push_back(std::move(steps));
  }
  return candidates;
}

struct Sweep {
  std::size_t best = 0;  // candidate
  int failed = 0;
  double seconds = 0;
};

Sweep run_sweep(measure::Measurer& measurer, const std::vector<measure::Build>& builds, double flop) {
  Sweep sweep;
  double best_s = std::numeric_limits<double>::infinity();
  const auto on_event = [&](const measure::Event& event) {
    const auto* measured = std::get_if<measure::CandidateMeasured>(&event);
    if (measured == nullptr) return;
    if (measured->measurement.status != measure::Status::Ok) ++sweep.failed;
    if (measured->measurement.best_s() >= best_s) return;
    best_s = measured->measurement.best_s();
    sweep.best = measured->candidate;
    fmt::print(stderr, "  trial {:>3} of {}   {:>10}   {:6.1f} GFLOP/s\n", measured->candidate + 1,
               builds.size(), print_time(best_s), flop / best_s * 1e-9);
  };
  const double start = now_s();
  measurer.measure(builds, on_event);
  sweep.seconds = now_s() - start;
  return sweep;
}

struct Report {
  std::string task;
  target::Target target;
  double flop, peak_gflops;
  std::size_t trials;
  Sweep sweep;
  measure::Measurement untuned, tuned;

  double gflops(const measure::Measurement& trial) const { return flop / trial.best_s() * 1e-9; }
  double speedup() const { return untuned.best_s() / tuned.best_s(); }
};

void print_line(const Report& report, const char* what, const measure::Measurement& trial) {
  fmt::print("{}   {:>10}   {:6.1f} GFLOP/s, {:.0f} % of the measured peak; {}\n", what,
             print_time(trial.best_s()), report.gflops(trial),
             report.gflops(trial) / report.peak_gflops * 100,
             trial.checked ? "the answer is right" : "the answer was not checked");
}

void print_text(const Report& report) {
  print_line(report, "untuned", report.untuned);
  print_line(report, "tuned  ", report.tuned);
  fmt::print("speed-up  {:.2f}x, from {} candidates in {:.1f} s ({} failed)\n", report.speedup(),
             report.trials, report.sweep.seconds, report.sweep.failed);
}

void print_json(const Report& report) {
  const nlohmann::ordered_json object = {{"schema", "hone.demo/1"},
                                         {"task", report.task},
                                         {"target", target::to_string(report.target)},
                                         {"peak_gflops", report.peak_gflops},
                                         {"untuned_s", report.untuned.best_s()},
                                         {"tuned_s", report.tuned.best_s()},
                                         {"speedup", report.speedup()},
                                         {"checked", report.untuned.checked && report.tuned.checked},
                                         {"trials", report.trials},
                                         {"failed", report.sweep.failed},
                                         {"sweep_s", report.sweep.seconds}};
  fmt::print("{}\n", object.dump());
}

}  // namespace

int demo(const Demo& options) {
  const target::Target target = target::host();
  const TaskPtr task = load_task({.op = options.op, .file = {}, .record = {}});
  const double flop = task::flop_count(*task);
  fmt::print(stderr, "One layer: {} ({:.3g} GFLOP), on {} threads of a {}.\n", options.op, flop * 1e-9,
             target.cores, target.cpu);
  fmt::print(stderr, "First what hone emits untuned, then whatever of {} candidates is faster:\n",
             options.trials);

  std::vector<measure::Build> builds;
  for (schedule::Steps& steps : draw_candidates(*task, target, target.cores, options.trials)) {
    builds.push_back(build_of(task, {std::move(steps), true, "sweep"}, target));
  }
  const measure::TaskData data = checked_data(task, target);
  measure::Options searching;
  searching.threads = target.cores;
  measure::Measurer measurer(searching);
  measurer.begin(data);
  const Sweep sweep = run_sweep(measurer, builds, flop);

  measure::Measurer comparer(careful(target.cores));
  comparer.begin(data);
  const auto finals = comparer.measure({builds.front(), builds[sweep.best]});
  const Report report = {.task = options.op,
                         .target = target,
                         .flop = flop,
                         .peak_gflops = codegen::measured_peak_gflops(target, target.cores),
                         .trials = builds.size(),
                         .sweep = sweep,
                         .untuned = finals[0],
                         .tuned = finals[1]};
  options.json ? print_json(report) : print_text(report);
  const bool ok = finals[0].status == measure::Status::Ok && finals[1].status == measure::Status::Ok;
  return ok ? kDone : kAnswerIsNo;
}

}  // namespace hone::cli
