#include "tune/nearest_programs.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/parallel.h"
#include "feature/summary.h"

namespace hone::tune {
namespace {

constexpr std::size_t kAtOnce = 1024;  // programs whose samples are held

struct Read {
  score::Sample sample;
  std::vector<float> summary;
};

Read read(const SampleMaker& samples, const feature::Replayed& program) {
  Read out;
  if (std::optional<score::Sample> sample = samples.of(program)) out.sample = std::move(*sample);
  out.summary = feature::summary(program.state(), program.tree(), program.hardware());
  return out;
}

// What programs are compared by.
std::vector<std::vector<float>> places(const AnyScorer& scorer, std::vector<Read> programs) {
  std::vector<score::Sample> samples;
  for (Read& program : programs) samples.push_back(std::move(program.sample));
  std::vector<score::Prediction> said = scorer.model->predict(samples);
  std::vector<std::vector<float>> out;
  for (std::size_t i = 0; i < said.size(); ++i)
    out.push_back(said[i].hidden.empty() ? std::move(programs[i].summary) : std::move(said[i].hidden));
  return out;
}

std::vector<std::vector<std::size_t>> programs_of_tasks(const record::Dataset& set) {
  std::vector<std::vector<std::size_t>> out(set.n_tasks());
  for (std::size_t program = 0; program < set.n_programs(); ++program) {
    set.check_program(program);
    out[set.task[program]].push_back(program);
  }
  return out;
}

// The programs of one task that fit it, a portion of them.
struct Portion {
  std::vector<std::size_t> numbers;
  std::vector<Read> read;
};
Portion read_portion(std::span<const std::size_t> programs, const record::Dataset& set,
                     const std::shared_ptr<const task::Task>& task, const space::Hardware& hardware,
                     const SampleMaker& samples, int threads) {
  std::vector<std::optional<Read>> made(programs.size());
  const auto read_one = [&](std::size_t program) -> std::optional<Read> {
    try {
      return read(samples, feature::Replayed(task, set.steps(program), hardware));
    } catch (const UserError&) {
      return std::nullopt;
    }
  };
  parallel_for(programs.size(), threads, [&](std::size_t i) { made[i] = read_one(programs[i]); });
  Portion out;
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (!made[i] || made[i]->sample.nodes.empty()) continue;
    out.numbers.push_back(programs[i]);
    out.read.push_back(std::move(*made[i]));
  }
  return out;
}

}  // namespace

NearestPrograms nearest_programs(const AnyScorer& scorer, const Subject& subject,
                                 const record::Dataset& set, const NearestOptions& options) {
  NearestPrograms out;
  const SampleMaker mine(scorer, subject.task, subject.hardware, subject.target);
  std::vector<Read> one;
  one.push_back(read(mine, feature::Replayed(subject.task, subject.steps, subject.hardware)));
  out.is_by_hidden = !scorer.model->predict({&one[0].sample, 1})[0].hidden.empty();
  score::NearestRows rows(places(scorer, std::move(one))[0], options.count);
  const std::vector<std::vector<std::size_t>> of_tasks = programs_of_tasks(set);
  for (const std::uint32_t number : options.tasks) {
    std::span<const std::size_t> programs = of_tasks[number];
    const auto task = set.computation(number);
    if (task == nullptr || set.kind[number] != record::ProgramKind::Steps) {
      out.unread += programs.size();
      continue;
    }
    const SampleMaker samples(scorer, task, options.hardware[number], subject.target);
    for (; !programs.empty(); programs = programs.subspan(std::min(kAtOnce, programs.size()))) {
      const std::span<const std::size_t> some = programs.first(std::min(kAtOnce, programs.size()));
      Portion portion =
          read_portion(some, set, task, options.hardware[number], samples, options.threads);
      out.unread += some.size() - portion.numbers.size();
      const std::vector<std::vector<float>> found = places(scorer, std::move(portion.read));
      for (std::size_t i = 0; i < found.size(); ++i) rows.add(portion.numbers[i], found[i]);
    }
  }
  out.nearest = rows.nearest();
  out.median_distance = rows.median_distance();
  out.compared = rows.size();
  return out;
}

}  // namespace hone::tune
