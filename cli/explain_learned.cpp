#include "cli/explain_learned.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "cli/dataset_hardware.h"
#include "record/dataset.h"
#include "record/dataset_writer.h"
#include "task/key.h"
#include "tune/nearest_programs.h"

namespace hone::cli {
namespace {

using tune::AnyScorer;

// The tasks of the set that the scorer has learned from, and what is to be said of that.
std::vector<std::uint32_t> learned_tasks(const record::Dataset& set, const AnyScorer& scorer,
                                         std::vector<std::string>& notes) {
  const std::set<std::string, std::less<>> known(scorer.header.tasks.begin(),
                                                 scorer.header.tasks.end());
  std::vector<std::uint32_t> all, learned;
  for (std::uint32_t i = 0; i < set.n_tasks(); ++i) {
    all.push_back(i);
    if (known.contains(set.key[i])) learned.push_back(i);
  }
  const bool is_the_set = scorer.header.data_hash == score::hexadecimal(set.file.content_hash());
  if (known.empty()) {
    notes.push_back("the scorer does not say what it learned from: these are programs of the set");
    return all;
  }
  if (learned.empty()) {
    notes.push_back("the scorer has learned from no task of the set: these are programs like this one");
    return all;
  }
  if (!is_the_set)
    notes.push_back(fmt::format(
        "the set is not the very one that the scorer was trained on ({}): {} of its {} tasks "
        "were among those",
        scorer.header.data_hash, learned.size(), all.size()));
  return learned;
}

std::vector<double> best_of_tasks(const record::Dataset& set) {
  std::vector<double> best(set.n_tasks(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < set.n_programs(); ++i)
    best[set.task[i]] = std::fmin(best[set.task[i]], double{set.best[i]});
  return best;
}

// Reading many programs takes a while.
void announce(const std::vector<std::uint32_t>& tasks, const record::Dataset& set) {
  constexpr std::ptrdiff_t kMany = 5000;
  std::vector<char> is_compared(set.n_tasks());
  for (const std::uint32_t task : tasks) is_compared[task] = 1;
  const auto n =
      std::ranges::count_if(set.task, [&](std::uint32_t task) { return is_compared[task] != 0; });
  if (n > kMany) fmt::print(stderr, "comparing with {} programs of {}\n", n, set.file.path());
}

void add_programs(Learned& out, const Explain& options, const RecordedProgram& program,
                  const tune::Subject& subject, const AnyScorer& scorer) {
  const record::Dataset set = record::Dataset::open(options.set);
  std::vector<std::uint32_t> tasks = learned_tasks(set, scorer, out.notes);
  announce(tasks, set);
  const tune::NearestPrograms found =
      tune::nearest_programs(scorer, subject, set,
                             {.tasks = std::move(tasks),
                              .hardware = hardware_of_tasks(set),
                              .count = static_cast<std::size_t>(options.top),
                              .threads = options.threads});
  if (found.unread > 0)
    out.notes.push_back(
        fmt::format("{} programs of the set could not be read: their computation is not "
                    "known, or their steps do not fit it",
                    found.unread));
  const std::vector<double> best = best_of_tasks(set);
  for (const auto& [number, distance] : found.nearest) {
    const std::uint32_t task = set.task[number];
    out.programs.push_back({.number = number,
                            .task = std::string(set.key[task]),
                            .networks = std::string(set.networks[task]),
                            .distance = distance,
                            .time_to_best = double{set.best[number]} / best[task],
                            .is_itself = set.key[task] == program.record.workload_key &&
                                         set.steps(number) == subject.steps});
  }
  out.is_by_hidden = found.is_by_hidden;
  out.median_distance = found.median_distance;
  out.compared = found.compared;
}

void add_tasks(Learned& out, const std::string& key, const std::vector<std::string>& learned,
               std::size_t count) {
  const auto sizes = task::sizes_in_key(key);
  for (const std::string& other : learned) {
    const auto theirs = task::sizes_in_key(other);
    if (!sizes || !theirs || record::structure_of(other) != record::structure_of(key) ||
        theirs->size() != sizes->size())
      continue;
    out.tasks.push_back({other, task::distance(*sizes, *theirs)});
  }
  std::ranges::stable_sort(out.tasks, {}, &LearnedTask::distance);
  if (out.tasks.size() > count) out.tasks.resize(count);
  out.notes.push_back(
      out.tasks.empty()
          ? fmt::format("none of the {} tasks it learned from has the structure of this one; --set SET "
                        "compares programs of all of them",
                        learned.size())
          : "tasks of the same structure that it learned from; --set SET compares programs");
}

}  // namespace

Learned learned_from(const Explain& options, const RecordedProgram& program,
                     const tune::Subject& subject, const AnyScorer& scorer) {
  Learned out;
  if (scorer.reads == AnyScorer::Reads::Code) {
    out.notes.push_back(fmt::format("{} never learned: it estimates code", scorer.header.kind));
  } else if (!options.set.empty()) {
    add_programs(out, options, program, subject, scorer);
  } else if (scorer.header.tasks.empty()) {
    out.notes.push_back("the scorer does not say what it learned from; --set SET compares programs");
  } else {
    add_tasks(out, program.record.workload_key, scorer.header.tasks,
              static_cast<std::size_t>(options.top));
  }
  return out;
}

}  // namespace hone::cli
