// How fast candidates become features: from steps through replay, bounds and the loop tree to rows.
//   bench_features [--programs N] [--threads T] [--json FILE]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "feature/limits.h"
#include "feature/statements.h"
#include "space/space.h"
#include "task/catalogue.h"

namespace hone::bench {
namespace {

struct Subject {
  std::string name, op;
  bool gpu = false;
};

const std::vector<Subject> kSubjects = {
    {"conv2d", "conv2d:n=1,ci=128,hw=28,co=128,k=3,s=1,p=1,layout=nhwc"},
    {"conv2d_bias_relu", "conv2d:n=1,ci=64,hw=56,co=64,k=3,s=1,p=1,layout=nchw+bias+relu"},
    {"conv2d_1x1", "conv2d:n=1,ci=1024,hw=14,co=256,k=1,s=1,p=0,layout=nhwc"},
    {"depthwise", "depthwise:n=1,ci=96,hw=112,k=3,s=2,p=1,layout=nhwc"},
    {"conv2d_gpu", "conv2d:n=1,ci=128,hw=28,co=128,k=3,s=1,p=1,layout=nhwc", true},
    {"matmul", "matmul:m=128,n=768,k=768"},
};

struct Options {
  int programs = 2000, threads = 2, repeats = 5;
  std::string json;
};

space::Hardware hardware_for(const Subject& subject) {
  const std::int64_t cpu[] = {20, 64, 64, 0, 0, 0, 0, 0};
  const std::int64_t gpu[] = {-1, 16, 64, 49152, 65536, 1024, 8, 32};
  return space::hardware_from(subject.gpu ? gpu : cpu);
}

// Of this thread alone, so that the split means something on a busy machine too.
double cpu_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

struct Split {  // microseconds
  double replay = 0, bounds = 0, nest = 0, features = 0;
  double total() const { return replay + bounds + nest + features; }
};

struct Programs {
  std::shared_ptr<const task::Task> task;
  space::Hardware hardware;
  std::vector<schedule::Steps> steps;
};

Programs sample(const Subject& subject, int count) {
  Programs out{
      std::make_shared<const task::Task>(task::from_op(subject.op)), hardware_for(subject), {}};
  const auto sketches = space::sketches(out.task, out.hardware);
  const space::Space space = space::ansor_space(out.task, sketches, out.hardware);
  Random random(1, 0);
  for (int draws = 0; static_cast<int>(out.steps.size()) < count && draws < 100 * count; ++draws) {
    const auto decisions = space.sample(random);
    const auto steps = decisions ? space.decode(*decisions) : std::nullopt;
    if (steps) out.steps.push_back(*steps);
  }
  check(!out.steps.empty(), "the space has candidates");
  return out;
}

void extract_timed(const Programs& programs, std::size_t i, Split& split) {
  const double start = cpu_us();
  schedule::State state = schedule::replay(programs.task, programs.steps[i]);
  const double replayed = cpu_us();
  schedule::infer_bounds(state);
  const double bounded = cpu_us();
  const feature::LoopTree tree = feature::loop_tree(state);
  const double built = cpu_us();
  if (!feature::exceeded(tree, programs.hardware)) {
    feature::statements(tree, programs.hardware.cache_line_bytes);
  }
  split.features += cpu_us() - built;
  split.replay += replayed - start;
  split.bounds += bounded - replayed;
  split.nest += built - bounded;
}

void extract(const Programs& programs, std::size_t i) {
  schedule::State state = schedule::replay(programs.task, programs.steps[i]);
  schedule::infer_bounds(state);
  feature::statements(state, programs.hardware);
}

// The least of the repeats: others may use the cores too.
nlohmann::ordered_json measure(const Subject& subject, const Options& options) {
  const Programs programs = sample(subject, options.programs);
  const auto n = static_cast<double>(programs.steps.size());
  Split least;
  double least_us = 0;
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    Split alone;
    for (std::size_t i = 0; i < programs.steps.size(); ++i) extract_timed(programs, i, alone);
    if (repeat == 0 || alone.total() < least.total()) least = alone;
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::jthread> workers;
    for (int t = 0; t < options.threads; ++t) {
      workers.emplace_back([&, t] {
        for (auto i = static_cast<std::size_t>(t); i < programs.steps.size();
             i += static_cast<std::size_t>(options.threads)) {
          extract(programs, i);
        }
      });
    }
    workers.clear();
    const double us =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    if (repeat == 0 || us < least_us) least_us = us;
  }
  return {{"name", subject.name},
          {"programs_per_s", n / least_us * 1e6},
          {"threads", options.threads},
          {"us_replay", least.replay / n},
          {"us_bounds", least.bounds / n},
          {"us_nest", least.nest / n},
          {"us_features", least.features / n}};
}

void run(const Options& options) {
  std::ofstream json;
  if (!options.json.empty()) {
    json.open(options.json);
    if (!json) throw UserError(fmt::format("cannot write {}", options.json));
  }
  fmt::print("{:<18} {:>12} {:>8} {:>8} {:>8} {:>8}  (us a program, one thread)\n", "task",
             "programs/s", "replay", "bounds", "nest", "features");
  for (const Subject& subject : kSubjects) {
    const nlohmann::ordered_json row = measure(subject, options);
    fmt::print("{:<18} {:12.0f} {:8.1f} {:8.1f} {:8.1f} {:8.1f}\n", subject.name,
               row["programs_per_s"].get<double>(), row["us_replay"].get<double>(),
               row["us_bounds"].get<double>(), row["us_nest"].get<double>(),
               row["us_features"].get<double>());
    if (json.is_open()) json << row.dump() << '\n';
  }
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  hone::bench::Options options;
  CLI::App app{"How fast candidates become features."};
  app.add_option("--programs", options.programs, "candidates of each task")->check(CLI::PositiveNumber);
  app.add_option("--threads", options.threads, "threads for programs/s")->check(CLI::PositiveNumber);
  app.add_option("--json", options.json, "a line a task goes into this file");
  CLI11_PARSE(app, argc, argv);
  try {
    hone::bench::run(options);
  } catch (const hone::UserError& error) {
    fmt::print(stderr, "bench_features: {}\n", error.what());
    return 2;
  }
  return 0;
}
