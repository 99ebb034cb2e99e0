#include "benchmarks/scored_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.h"
#include "base/parallel.h"
#include "record/dataset.h"
#include "record/hds/writer.h"

namespace hone::bench {
namespace {

const score::View& view_named(const score::Sample& sample, const std::string& name) {
  return *std::ranges::find(sample.views, name, &score::View::name);
}

}  // namespace

ScoredPrograms read_programs(const std::string& path, std::size_t n) {
  const record::Dataset set = record::Dataset::open(path);
  ScoredPrograms programs;
  std::map<std::uint32_t, std::uint32_t> numbers;  // of the tasks met
  for (std::size_t i = 0; i < set.n_programs() && programs.size() < n; ++i) {
    set.check_program(i);
    if (set.status[i] != 0 || set.kind_of(i) != record::ProgramKind::Steps) continue;
    const auto [at, is_new] =
        numbers.emplace(set.task[i], static_cast<std::uint32_t>(programs.input.tasks.size()));
    if (is_new) {
      programs.input.tasks.push_back(
          {set.computation(set.task[i]), space::hardware_from(set.record(i).hardware)});
      programs.keys.emplace_back(set.key[set.task[i]]);
    }
    if (programs.input.tasks[at->second].task == nullptr) continue;
    programs.task_of.push_back(at->second);
    programs.steps.push_back(set.steps(i));
    programs.best_s.push_back(set.best[i]);
  }
  if (programs.size() == 0) throw UserError(path + " has no program of a known computation");
  return programs;
}

std::vector<score::Sample> samples_of(const ScoredPrograms& programs,
                                      const std::vector<std::string>& views, int threads) {
  std::vector<feature::SectionRows> makers;
  for (const std::string& name : views) makers.push_back(feature::section_rows(name, programs.input));
  std::vector<score::Sample> samples(programs.size());
  parallel_for(samples.size(), threads, [&](std::size_t i) {
    const feature::SectionTask& task = programs.input.tasks[programs.task_of[i]];
    const feature::Replayed program(task.task, programs.steps[i], task.hardware);
    for (std::size_t view = 0; view < views.size(); ++view) {
      const feature::SectionRows& rows = makers[view];
      samples[i].views.push_back(
          {views[view], static_cast<std::size_t>(rows.width),
           rows.is_of_tasks ? rows.make(programs.task_of[i]).values : rows.of_replayed(program)});
    }
  });
  return samples;
}

void write_set(const ScoredPrograms& programs, const std::vector<std::string>& views,
               const std::vector<score::Sample>& samples, const std::string& path) {
  record::hds::Writer writer(path);
  writer.strings("task.key", programs.keys);
  writer.strings("task.structure", programs.keys);
  writer.array("program.task", programs.task_of);
  writer.array("program.status", std::vector<std::uint8_t>(programs.size()));
  writer.array("program.best", programs.best_s);
  std::vector<std::uint64_t> one_each(programs.size() + 1);
  std::iota(one_each.begin(), one_each.end(), 0);
  writer.array("program.times.offsets", one_each);
  writer.array("program.times.values",
               std::vector<double>(programs.best_s.begin(), programs.best_s.end()));
  for (const std::string& name : views) {
    const feature::SectionRows rows = feature::section_rows(name, programs.input);
    std::vector<std::uint64_t> offsets = {0};
    std::vector<float> values;
    const auto add = [&](const std::vector<float>& more) {
      values.insert(values.end(), more.begin(), more.end());
      offsets.push_back(values.size() / static_cast<std::size_t>(rows.width));
    };
    if (rows.is_of_tasks) {
      for (std::size_t task = 0; task < programs.keys.size(); ++task) add(rows.make(task).values);
    } else {
      for (const score::Sample& sample : samples) add(view_named(sample, name).values);
    }
    std::string info =
        fmt::format("{} {} {}", rows.version, rows.width, rows.is_of_tasks ? "task" : "program");
    if (rows.full_rows > 0) info += fmt::format(" {}", rows.full_rows);
    writer.array("feature." + name + ".values", values);
    writer.array("feature." + name + ".offsets", offsets);
    writer.text("feature." + name + ".info", info);
  }
  writer.finish();
}

}  // namespace hone::bench
