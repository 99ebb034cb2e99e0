// Time to compile a candidate, from steps to image, and what two threads gain.
#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "benchmarks/candidates.h"
#include "benchmarks/report.h"
#include "benchmarks/suites.h"
#include "benchmarks/sweep.h"
#include "codegen/compile.h"
#include "codegen/kernel.h"
#include "lower/optimise.h"
#include "task/catalogue.h"

namespace hone::bench {
namespace {

using Clock = std::chrono::steady_clock;

double since_ms(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Job {
  std::shared_ptr<const task::Task> task;
  schedule::Steps steps;
};

std::vector<Job> jobs_of(const std::string& suite_name, int per_op, const target::Target& target) {
  std::vector<Job> jobs;
  for (const Layer& layer : suite(suite_name)) {
    for (const std::string& op : layer.ops) {
      const auto task = std::make_shared<const task::Task>(task::from_op(op));
      for (schedule::Steps& steps : random_candidates(*task, per_op, 1, target, 1))
        jobs.push_back({task, std::move(steps)});
    }
  }
  return jobs;
}

// Milliseconds of each job, and of all of them together, on `threads` threads.
std::pair<std::vector<double>, double> compile_all(const std::vector<Job>& jobs, int threads,
                                                   const target::Target& target) {
  std::vector<double> each(jobs.size());
  std::atomic<std::size_t> next = 0;
  const auto start = Clock::now();
  {
    std::vector<std::jthread> workers;
    for (int i = 0; i < threads; ++i) {
      workers.emplace_back([&] {
        for (std::size_t job; (job = next++) < jobs.size();) {
          const auto begun = Clock::now();
          codegen::compile(jobs[job].task, jobs[job].steps, target);
          each[job] = since_ms(begun);
        }
      });
    }
  }
  return {std::move(each), since_ms(start)};
}

// Mean milliseconds of the nest, of each pass and of the back end.
nlohmann::ordered_json split(const std::vector<Job>& jobs, const target::Target& target) {
  std::vector<std::string> order;
  std::map<std::string, double> spent;
  for (const Job& job : jobs) {
    auto start = Clock::now();
    const auto lap = [&](const std::string& name) {
      if (!spent.contains(name)) order.push_back(name);
      spent[name] += since_ms(start);
      start = Clock::now();
    };
    ir::Program program = codegen::plain_nest(job.task, job.steps, {});
    lap("nest");
    program =
        lower::optimise(std::move(program), target,
                        [&](std::string_view pass, const ir::Program&) { lap(std::string(pass)); });
    codegen::build_llvm(program, target);
    lap("llvm");
  }
  nlohmann::ordered_json means;
  for (const std::string& name : order) means[name] = spent[name] / static_cast<double>(jobs.size());
  return means;
}

nlohmann::ordered_json measure_suite(const std::string& name, int per_op) {
  const target::Target target = target::host();
  const std::vector<Job> jobs = jobs_of(name, per_op, target);
  compile_all({jobs.begin(), jobs.begin() + 2}, 2, target);  // LLVM sets itself up
  const auto [each, alone_ms] = compile_all(jobs, 1, target);
  const double both_ms = compile_all(jobs, 2, target).second;
  return {{"suite", name},
          {"candidates", jobs.size()},
          {"mean_ms", alone_ms / static_cast<double>(jobs.size())},
          {"p95_ms", percentile(each, 0.95)},
          {"two_threads", alone_ms / both_ms},
          {"split_ms", split(jobs, target)}};
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  std::string json;
  std::vector<std::string> suites = hone::bench::suite_names();
  int per_op = 16;
  CLI::App app{"Milliseconds to compile a candidate, and the gain of a second thread"};
  app.add_option("--suite", suites, "one or more of bench_kernels' suites; all by default");
  app.add_option("--candidates", per_op, "random ones a layer and layout")->check(CLI::Range(1, 10000));
  app.add_option("--json", json, "also write the lines to this file");
  CLI11_PARSE(app, argc, argv);
  return hone::bench::run_program([&] {
    hone::bench::Report report(json);
    for (const std::string& suite : suites)
      report.line(hone::bench::measure_suite(suite, per_op).dump());
    return 0;
  });
}
