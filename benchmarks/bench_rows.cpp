// How many programs a second become the rows of each feature section, from a log's steps in memory.
//   bench_rows LOG [--dags FILE] [--programs N] [--threads T] [--sections NAME,...] [--json FILE]
// FILE has a JSON object a line: workload_key and dag, TVM's text of the task.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <ctime>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/gzip.h"
#include "feature/sections.h"
#include "feature/tlp_rows.h"
#include "record/reader.h"
#include "task/readable_key.h"
#include "task/text.h"

namespace hone::bench {
namespace {

struct Options {
  std::string log, dags, json;
  std::vector<std::string> sections;
  std::size_t programs = 50'000;
  int threads = 2, repeats = 3;
};

using Dags = std::map<std::string, std::string>;

Dags read_dags(const std::string& path) {
  Dags dags;
  if (path.empty()) return dags;
  std::istringstream lines(read_maybe_gzip(path));
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json entry = nlohmann::json::parse(line);
    dags.emplace(entry["workload_key"], entry["dag"]);
  }
  return dags;
}

std::shared_ptr<const task::Task> task_of(const std::string& key, const Dags& dags) {
  if (auto task = task::from_readable_key(key)) return std::make_shared<const task::Task>(*task);
  const auto dag = dags.find(key);
  if (dag == dags.end()) return nullptr;
  return std::make_shared<const task::Task>(task::parse(dag->second, {key, {}}));
}

struct Programs {
  feature::SectionInput input;
  std::vector<std::uint32_t> task_of;
  std::vector<schedule::Steps> steps;
};

// Spread over the whole log: tasks stand one after the other.
Programs read_programs(const Options& options) {
  const Dags dags = read_dags(options.dags);
  std::size_t records = 0;
  const auto count = [&](record::Record&&, std::int64_t) { ++records; };
  record::read_records(options.log, count, [](const record::Problem&) {});
  const std::size_t every = std::max<std::size_t>(1, records / options.programs);
  Programs programs;
  std::map<std::string, std::uint32_t> numbers;
  std::size_t met = 0;
  const auto take = [&](record::Record&& record, std::int64_t) {
    if (met++ % every != 0) return;
    auto& tasks = programs.input.tasks;
    const auto [at, is_new] = numbers.emplace(record.workload_key + record.target, tasks.size());
    if (is_new)
      tasks.push_back({task_of(record.workload_key, dags), space::hardware_from(record.hardware)});
    programs.task_of.push_back(at->second);
    programs.steps.push_back(std::move(record.steps));
  };
  record::read_records(options.log, take, [](const record::Problem&) {});
  if (programs.steps.empty()) throw UserError(options.log + " has no records");
  return programs;
}

struct Seconds {
  double wall = 0, cpu = 0;
};

// The fastest of the repeats. Others may use the cores too, so the time that ours were busy is told as
// well.
template <class Work>
Seconds least_seconds(int repeats, const Work& work) {
  Seconds least;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t busy = std::clock();
    work();
    const auto cpu = static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC;
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (repeat == 0 || wall < least.wall) least.wall = wall;
    if (repeat == 0 || cpu < least.cpu) least.cpu = cpu;
  }
  return least;
}

nlohmann::ordered_json result(const std::string& name, std::size_t programs, const Seconds& seconds,
                              int threads) {
  const auto n = static_cast<double>(programs);
  fmt::print("{:<12} {:>12.0f} {:>14.0f}", name, n / seconds.wall, n / seconds.cpu * threads);
  return {{"name", name},
          {"programs", programs},
          {"programs_per_s", n / seconds.wall},
          {"programs_per_s_undisturbed", n / seconds.cpu * threads}};
}

nlohmann::ordered_json time_tlp_table(const Programs& programs, const Options& options) {
  const feature::TlpFormat format = feature::tlp_cropped(programs.input.tasks.front().hardware.kind);
  // As search fills it: one population after the other in the same memory.
  constexpr std::size_t kPopulation = 2048;
  std::vector<float> table(kPopulation * format.size());
  const Seconds seconds = least_seconds(options.repeats, [&] {
    const std::span<const schedule::Steps> all = programs.steps;
    for (std::size_t i = 0; i < all.size(); i += kPopulation)
      feature::tlp_rows(all.subspan(i, std::min(kPopulation, all.size() - i)), format, options.threads,
                        table.data());
  });
  auto row = result("tlp table", programs.steps.size(), seconds, options.threads);
  fmt::print("\n");
  return row;
}

nlohmann::ordered_json time_section(const std::string& name, const Programs& programs,
                                    const Options& options) {
  feature::Section section;
  std::size_t values = 0;
  const Seconds seconds = least_seconds(options.repeats, [&] {
    values = 0;
    section = feature::make_section(name, programs.input, options.threads,
                                    [&](std::span<const float> rows) { values += rows.size(); });
  });
  std::size_t left_out = 0;
  for (const feature::LeftOut& each : section.left_out)
    left_out += static_cast<std::size_t>(each.count);
  const std::size_t done = section.offsets.size() - 1 - left_out;
  auto row = result(name, done, seconds, options.threads);
  fmt::print("  {:6.2f} KB each, {} left out\n",
             static_cast<double>(values) * sizeof(float) / 1e3 /
                 static_cast<double>(std::max<std::size_t>(done, 1)),
             left_out);
  row["left_out"] = left_out;
  return row;
}

void run(Options options) {
  std::ofstream json;
  if (!options.json.empty()) {
    json.open(options.json);
    if (!json) throw UserError(fmt::format("cannot write {}", options.json));
  }
  Programs programs = read_programs(options);
  programs.input.task_of = programs.task_of;
  programs.input.steps_of = [&](std::size_t i) { return programs.steps[i]; };
  if (options.sections.empty()) {
    for (const feature::SectionHelp& help : feature::section_names())
      options.sections.emplace_back(help.name);
  }
  const auto keep = [&](const nlohmann::ordered_json& row) {
    if (json.is_open()) json << row.dump() << '\n';
  };
  fmt::print("{:<12} {:>12} {:>14}  ({} programs, {} threads)\n", "section", "programs/s",
             "undisturbed", programs.steps.size(), options.threads);
  keep(time_tlp_table(programs, options));
  for (const std::string& name : options.sections) keep(time_section(name, programs, options));
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  hone::bench::Options options;
  CLI::App app{"How many programs a second become rows of features."};
  app.add_option("log", options.log, "records of Ansor's")->required();
  app.add_option("--dags", options.dags, "texts of tasks by workload key");
  app.add_option("--programs", options.programs, "records to use")->check(CLI::PositiveNumber);
  app.add_option("--threads", options.threads, "threads")->check(CLI::PositiveNumber);
  app.add_option("--repeats", options.repeats, "of which the fastest counts")
      ->check(CLI::PositiveNumber);
  app.add_option("--sections", options.sections, "all when not given")->delimiter(',');
  app.add_option("--json", options.json, "a line a section goes into this file");
  CLI11_PARSE(app, argc, argv);
  try {
    hone::bench::run(options);
  } catch (const hone::UserError& error) {
    fmt::print(stderr, "bench_rows: {}\n", error.what());
    return 2;
  }
  return 0;
}
