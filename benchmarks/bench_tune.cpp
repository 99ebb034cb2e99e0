// Trials a second of the whole tuner, where the time goes, and how near that is to the pipeline's
// bound.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/affinity.h"
#include "base/clock.h"
#include "benchmarks/report.h"
#include "benchmarks/subjects.h"
#include "benchmarks/tuning.h"
#include "task/catalogue.h"

namespace hone::bench {
namespace {

nlohmann::ordered_json tune_subject(const Subject& subject, tune::Options options) {
  options.op = subject.op;
  const double start_s = now_s();
  const auto task = std::make_shared<const task::Task>(task::from_op(subject.op));
  tune::Parts parts = tune::make_parts(task, options);
  const double setup_s = now_s() - start_s;
  const tune::Summary summary = tune_once(std::move(parts), options);
  const tune::TimeSplit& split = summary.progress.split;
  const double n = summary.progress.trials;
  // With a processor for each, neither of the two stages that cannot be done without could be faster.
  const double bound = n / std::max(split.build_s, split.run_s);
  const auto ms = [&](double seconds) { return seconds / n * 1e3; };
  return {{"name", subject.name},
          {"trials_per_s", summary.trials_per_s},
          {"bound_per_s", bound},
          {"of_bound", summary.trials_per_s / bound},
          {"search_ms", ms(split.search_s)},
          {"score_ms", ms(split.score_s)},
          {"build_ms", ms(split.build_s)},
          {"run_ms", ms(split.run_s)},
          {"setup_s", setup_s},
          {"trials", summary.progress.trials},
          {"failed", summary.progress.failed()},
          {"best_us", summary.best_s() * 1e6},
          {"untuned_us", summary.baseline_s() * 1e6},
          {"space", tune::kSpaceNames.at(static_cast<std::size_t>(options.space))},
          {"threads", options.threads}};
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  hone::tune::Options options;
  options.trials = 400;
  options.jobs = static_cast<int>(hone::allowed_cpus().size());
  std::string json, space = "hone";
  CLI::App app{"Trials a second of the whole tuner, and the split of its time"};
  app.add_option("--trials", options.trials, "a task")->check(CLI::Range(1, 100000));
  app.add_option("--threads", options.threads, "that a kernel runs on")->check(CLI::Range(1, 1024));
  app.add_option("--space", space, "hone or ansor")->check(CLI::IsMember({"hone", "ansor"}));
  app.add_option("--seed", options.seed, "of the search");
  app.add_option("--json", json, "also write the lines to this file");
  CLI11_PARSE(app, argc, argv);
  if (space == "ansor") options.space = hone::tune::SpaceKind::Ansor;
  return hone::bench::run_program([&] {
    hone::bench::Report report(json);
    for (const hone::bench::Subject& subject : hone::bench::kSubjects)
      report.line(hone::bench::tune_subject(subject, options).dump());
    return 0;
  });
}
