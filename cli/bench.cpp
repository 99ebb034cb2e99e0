// `hone bench`: compiles a computation, checks its answer and times it on this machine.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/duration.h"
#include "cli/bench_artefacts.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/input.h"
#include "cli/measuring.h"
#include "cli/terminal.h"
#include "codegen/peak.h"
#include "task/analysis.h"

namespace hone::cli {
namespace {

struct Result {
  std::string task, origin;
  int threads;
  double flop, peak_gflops;
  measure::Measurement measurement;

  double gflops() const { return flop / measurement.best_s() * 1e-9; }
};

Result run(const Bench& options) {
  const target::Target target = target::host();
  const int threads = options.threads == 0 ? target.cores : options.threads;
  const auto task = load_task(options.input);
  const Schedule schedule = load_schedule(options.input, task, target, threads);

  measure::Measurer measurer(careful(threads));
  measurer.begin(checked_data(task, target));
  return {.task = task->name,
          .origin = schedule.origin,
          .threads = threads,
          .flop = task::flop_count(*task),
          .peak_gflops = codegen::measured_peak_gflops(target, threads),
          .measurement = measurer.measure({build_of(task, schedule, target)}).front()};
}

void print_text(const Result& result) {
  const measure::Measurement& trial = result.measurement;
  fmt::print("task      {}  ({:.3g} GFLOP)\n", result.task, result.flop * 1e-9);
  fmt::print("schedule  {}, built in {}\n", result.origin, print_time(trial.build_s));
  fmt::print("time      {} on {} thread{}, least of {}, noise {:.1f} %\n", print_time(trial.best_s()),
             result.threads, result.threads == 1 ? "" : "s", trial.seconds.size(), trial.noise * 100);
  const double share = result.gflops() / result.peak_gflops;
  fmt::print("speed     {:.1f} GFLOP/s, {:.0f} % of the measured peak of {:.0f}{}\n", result.gflops(),
             share * 100, result.peak_gflops,
             share > 1 ? " (the count includes padding, which is skipped)" : "");
  fmt::print("answer    {}\n", trial.checked ? "checked, right" : "not checked");
  if (!trial.real_time) {
    fmt::print(stderr, "note: timed without real-time priority; `hone doctor` says how to permit it\n");
  }
}

void print_json(const Result& result) {
  const measure::Measurement& trial = result.measurement;
  nlohmann::ordered_json report = {{"schema", "hone.bench/1"},
                                   {"task", result.task},
                                   {"schedule", result.origin},
                                   {"threads", result.threads},
                                   {"status", worker::to_string(trial.status)},
                                   {"message", trial.message},
                                   {"flop", result.flop},
                                   {"peak_gflops", result.peak_gflops},
                                   {"seconds", trial.seconds},
                                   {"noise", trial.noise},
                                   {"checked", trial.checked},
                                   {"real_time", trial.real_time},
                                   {"build_s", trial.build_s}};
  if (trial.status == measure::Status::Ok) {
    report["best_s"] = trial.best_s();
    report["gflops"] = result.gflops();
    report["peak_share"] = result.gflops() / result.peak_gflops;
  }
  fmt::print("{}\n", report.dump());
}

}  // namespace

int bench(const Bench& options) {
  if (!options.artefacts.empty()) return bench_artefacts(options);
  const Result result = run(options);
  const bool ok = result.measurement.status == measure::Status::Ok;
  if (options.json) {
    print_json(result);
  } else if (ok) {
    print_text(result);
  } else {
    fmt::print(stderr, "{} {}: {}\n", paint("failed:", Colour::Red, stderr),
               worker::to_string(result.measurement.status), result.measurement.message);
  }
  return ok ? kDone : kAnswerIsNo;
}

}  // namespace hone::cli
