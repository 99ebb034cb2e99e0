#include "tune/labels.h"

#include <algorithm>
#include <map>

#include "base/parallel.h"
#include "record/dataset_stats.h"
#include "tune/make_proposer.h"

namespace hone::tune {

Labels labels_of(const record::Dataset& set, const score::Network& scorer, int jobs) {
  Labels labels;
  score::Labelled& all = labels.programs;
  const std::vector<std::vector<std::uint32_t>> programs = record::programs_by_task(set);
  for (std::uint32_t task = 0; task < set.n_tasks(); ++task) {
    all.keys.emplace_back(set.key[task]);
    labels.structures.emplace_back(set.structure[task]);
    const std::shared_ptr<const task::Task> computation = set.computation(task);
    if (computation == nullptr || programs[task].empty()) continue;
    const Featurise featurise =
        featuriser(computation, recorded_target(set.record(programs[task].front())), &scorer);
    std::vector<score::Sample> samples(programs[task].size());
    parallel_for(samples.size(), jobs, [&](std::size_t i) {
      samples[i] = featurise(set.steps(programs[task][i]));
      if (samples[i].later != nullptr) samples[i].later->get();
    });
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (samples[i].n_rows() == 0) continue;
      all.samples.push_back(std::move(samples[i]));
      all.task_of.push_back(task);
      all.seconds.push_back(double{set.best[programs[task][i]]});
    }
  }
  return labels;
}

std::vector<std::size_t> programs_of(const score::Labelled& all, const std::vector<bool>& wanted) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < all.samples.size(); ++i)
    if (wanted[all.task_of[i]]) out.push_back(i);
  return out;
}

score::Labelled part_of(const score::Labelled& all, const std::vector<std::size_t>& programs) {
  score::Labelled part;
  std::map<std::uint32_t, std::uint32_t> numbers;  // of tasks
  for (const std::size_t i : programs) {
    const auto [at, is_new] =
        numbers.emplace(all.task_of[i], static_cast<std::uint32_t>(part.keys.size()));
    if (is_new) part.keys.push_back(all.keys[all.task_of[i]]);
    part.samples.push_back(all.samples[i]);
    part.task_of.push_back(at->second);
    part.seconds.push_back(all.seconds[i]);
  }
  return part;
}

std::vector<std::size_t> deal_folds(const Labels& labels, std::size_t n) {
  std::map<std::string, std::vector<std::size_t>> by_structure;
  for (std::size_t task = 0; task < labels.structures.size(); ++task)
    by_structure[labels.structures[task]].push_back(task);
  std::vector<const std::vector<std::size_t>*> largest_first;
  for (const auto& [structure, tasks] : by_structure) largest_first.push_back(&tasks);
  std::ranges::sort(largest_first, {},
                    [](const auto* tasks) { return std::pair(-std::ssize(*tasks), tasks->front()); });
  std::vector<std::size_t> sizes(n), fold_of(labels.structures.size());
  for (const std::vector<std::size_t>* tasks : largest_first) {
    const auto smallest = std::ranges::min_element(sizes);
    *smallest += tasks->size();
    for (const std::size_t task : *tasks)
      fold_of[task] = static_cast<std::size_t>(smallest - sizes.begin());
  }
  return fold_of;
}

}  // namespace hone::tune
