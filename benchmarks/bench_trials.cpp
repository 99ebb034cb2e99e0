// Trials a second: random candidates of the generic structure, built, run alone in the worker, checked.
#include <CLI/CLI.hpp>
#include <chrono>
#include <nlohmann/json.hpp>

#include "benchmarks/candidates.h"
#include "benchmarks/report.h"
#include "benchmarks/subjects.h"
#include "codegen/compile.h"
#include "measure/expectation.h"
#include "measure/measurer.h"
#include "measure/reference.h"
#include "task/catalogue.h"

namespace hone::bench {
namespace {

nlohmann::ordered_json measure_subject(const Subject& subject, int count, int threads,
                                       std::uint64_t seed) {
  const target::Target target = target::host();
  const auto task = std::make_shared<const task::Task>(task::from_op(subject.op));
  measure::TaskData data = measure::expectations(*task);
  data.reference = measure::reference_kernel(task, target);
  measure::Options options;
  options.threads = threads;
  measure::Measurer measurer(options);
  measurer.begin(data);
  std::vector<measure::Build> builds;
  for (schedule::Steps& steps : random_candidates(*task, count, threads, target, seed))
    builds.emplace_back(
        [=, steps = std::move(steps)] { return codegen::compile(task, steps, target); });
  const auto n = static_cast<double>(builds.size());
  const auto start = std::chrono::steady_clock::now();
  const std::vector<measure::Measurement> trials = measurer.measure(std::move(builds));
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  double build_s = 0, run_s = 0;
  int failed = 0;
  for (const measure::Measurement& trial : trials) {
    build_s += trial.build_s;
    run_s += trial.run_s;
    failed += trial.status != measure::Status::Ok;
  }
  return {{"name", subject.name},
          {"trials_per_s", n / seconds},
          {"build_ms", build_s / n * 1e3},
          {"run_ms", run_s / n * 1e3},
          {"trials", trials.size()},
          {"failed", failed},
          {"best_us", measurer.best_s() * 1e6},
          {"threads", threads}};
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  std::string json;
  int trials = 200, threads = 1;
  std::uint64_t seed = 1;
  CLI::App app{"Trials a second, build and measurement together"};
  app.add_option("--trials", trials, "candidates a task")->check(CLI::Range(1, 100000));
  app.add_option("--threads", threads, "that a kernel runs on")->check(CLI::Range(1, 1024));
  app.add_option("--seed", seed, "of the candidates");
  app.add_option("--json", json, "also write the lines to this file");
  CLI11_PARSE(app, argc, argv);
  return hone::bench::run_program([&] {
    hone::bench::Report report(json);
    for (const hone::bench::Subject& subject : hone::bench::kSubjects)
      report.line(hone::bench::measure_subject(subject, trials, threads, seed).dump());
    return 0;
  });
}
