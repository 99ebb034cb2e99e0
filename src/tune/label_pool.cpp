#include "tune/label_pool.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/parallel.h"
#include "score/label_choice.h"
#include "space/tiling.h"
#include "task/key.h"
#include "tune/make_proposer.h"
#include "tune/sample_proposer.h"

namespace hone::tune {
namespace {

using Programs = std::vector<schedule::Steps>;

// Streams of random numbers, apart from those of samples.
constexpr std::uint64_t kOfTasks = 0x7a5c, kOfPrograms = 0x9709;

// Programs of one task as the scorer sees them.
struct Pool {
  Programs programs;
  std::vector<score::Sample> samples;
};

void drop_doubles(std::vector<CollectTask>& tasks) {
  std::set<std::string> keys;
  std::erase_if(tasks,
                [&](const CollectTask& one) { return !keys.insert(task::tvm_key(*one.task)).second; });
}

template <class T>
std::vector<T> picked(const std::vector<T>& all, const std::vector<std::size_t>& numbers) {
  std::vector<T> out;
  for (const std::size_t number : numbers) out.push_back(all[number]);
  return out;
}

// Even samples of its spaces behind what hone emits untuned, or a part of those that it has.
Programs draw_programs(const CollectTask& one, const target::Target& target,
                       const LabelOptions& options, std::uint64_t stream) {
  if (!one.programs.empty()) {
    const std::vector<std::size_t> numbers =
        score::choose_randomly(one.programs.size(), options.pool, options.seed, stream);
    return picked(one.programs, numbers);
  }
  const auto space = [&](SpaceKind kind) {
    return std::make_unique<SpaceCandidates>(make_space(one.task, target, kind));
  };
  SampleProposer sampler(space(SpaceKind::Ansor), space(SpaceKind::Hone), nullptr, options.seed);
  Programs programs = {space::analytic_steps(*one.task, target, target.cores)};
  const std::string untuned = candidate_of(programs.front()).key;
  const IsKnown is_known = [&](const std::string& key) { return key == untuned; };
  for (Candidate& candidate : sampler.propose(0, options.pool - 1, is_known).candidates)
    programs.push_back(std::move(candidate.steps));
  return programs;
}

Pool with_samples(const CollectTask& one, Programs programs, const target::Target& target,
                  const score::Network& scorer) {
  const Featurise featurise = featuriser(one.task, target, &scorer);
  Pool pool;
  for (schedule::Steps& steps : programs) {
    score::Sample sample = featurise(steps);
    if (sample.n_rows() == 0) continue;
    sample.later->get();  // here, where others are made at the same time
    pool.samples.push_back(std::move(sample));
    pool.programs.push_back(std::move(steps));
  }
  return pool;
}

// Where the scorer sees the task: at the first of its programs that it can read.
std::vector<score::Prospect> places_of(const std::vector<CollectTask>& tasks,
                                       const target::Target& target, const score::Network& scorer,
                                       int jobs) {
  std::vector<Pool> firsts(tasks.size());
  parallel_for(tasks.size(), jobs, [&](std::size_t i) {
    const Programs& own = tasks[i].programs;
    firsts[i] = with_samples(
        tasks[i],
        {own.empty() ? space::analytic_steps(*tasks[i].task, target, target.cores) : own.front()},
        target, scorer);
  });
  std::vector<score::Sample> samples;
  for (Pool& first : firsts) std::ranges::move(first.samples, std::back_inserter(samples));
  if (samples.empty())
    throw UserError("the scorer can read no program of these tasks",
                    "it was trained on features that they do not have");
  const std::vector<score::Prediction> said = scorer.predict(samples);
  std::vector<score::Prospect> places;
  auto next = said.begin();
  for (const Pool& first : firsts) {
    const bool is_seen = !first.programs.empty();
    places.push_back(
        {.place = is_seen ? next->hidden : said.front().hidden, .weight = is_seen ? 1.0 : 0.0});
    if (is_seen) ++next;
  }
  return places;
}

std::vector<CollectTask> choose_tasks(const std::vector<CollectTask>& tasks,
                                      const target::Target& target, const score::Network& scorer,
                                      const LabelOptions& options) {
  const std::size_t n = score::tasks_for(options.labels);
  if (n >= tasks.size()) return tasks;
  if (!options.is_active)
    return picked(tasks, score::choose_randomly(tasks.size(), n, options.seed, kOfTasks));
  return picked(tasks, score::cover(places_of(tasks, target, scorer, options.jobs), n));
}

}  // namespace

std::vector<CollectTask> choose_labels(std::vector<CollectTask> tasks, const target::Target& target,
                                       const score::Network& scorer, const LabelOptions& options) {
  drop_doubles(tasks);
  tasks = choose_tasks(tasks, target, scorer, options);
  std::vector<Pool> pools(tasks.size());
  parallel_for(tasks.size(), options.jobs, [&](std::size_t i) {
    pools[i] = with_samples(tasks[i], draw_programs(tasks[i], target, options, i), target, scorer);
  });
  std::vector<std::size_t> room;
  for (const Pool& pool : pools) room.push_back(pool.programs.size());
  const std::vector<std::size_t> shares = score::even_shares(options.labels, room);
  std::vector<CollectTask> chosen;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (shares[i] == 0) continue;
    const std::vector<std::size_t> numbers =
        options.is_active ? score::choose_actively(scorer.predict(pools[i].samples), shares[i])
                          : score::choose_randomly(room[i], shares[i], options.seed, kOfPrograms + i);
    tasks[i].programs = picked(pools[i].programs, numbers);
    chosen.push_back(std::move(tasks[i]));
  }
  return chosen;
}

}  // namespace hone::tune
