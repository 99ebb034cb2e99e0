#include "cli/transfer_judge.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/parallel.h"
#include "target/detect.h"
#include "tune/dense_compiler.h"

namespace hone::cli {
namespace {

constexpr std::size_t kFolds = 4;  // every one costs a scorer of its own

struct Shown {
  score::Metric metric;
  const char *name, *id;
};
const std::vector<Shown> kShown = {{{score::Family::Rank, 0}, "rank correlation", "rank_correlation"},
                                   {{score::Family::Pairwise, 0}, "pairs in order", "pairwise"},
                                   {{score::Family::Tasks, 1}, "top-1, mean of tasks", "tasks_top1"},
                                   {{score::Family::Tasks, 5}, "top-5, mean of tasks", "tasks_top5"},
                                   {{score::Family::Pooled, 1}, "top-1, pooled", "pooled_top1"},
                                   {{score::Family::FarOff, 0}, "tasks lost (> 5x)", "far_off"}};

double value_of(const score::Prediction& said) { return said.score * said.valid; }

tune::DenseCompilerOptions on_threads(int threads) {
  target::Target target = target::host();
  target.cores = threads;
  return {.target = target};
}

// Tasks whose programs can be put in order.
std::vector<std::uint32_t> judged_tasks(const score::Labelled& all) {
  std::vector<int> working(all.keys.size());
  for (std::size_t i = 0; i < all.samples.size(); ++i)
    working[all.task_of[i]] += std::isfinite(all.seconds[i]) ? 1 : 0;
  std::vector<std::uint32_t> out;
  for (std::uint32_t task = 0; task < working.size(); ++task)
    if (working[task] > 1) out.push_back(task);
  return out;
}

// Scores of all programs, each by a scorer adapted without the fold of its task. Folds are worked on
// side by side: trees of a few hundred labels are too small to be grown on several threads.
std::vector<double> held_out_scores(const ScorerToAdapt& scorer, const tune::Labels& labels,
                                    std::size_t n_folds) {
  const score::Labelled& all = labels.programs;
  const std::vector<std::size_t> fold_of = tune::deal_folds(labels, n_folds);
  std::vector<double> scores(all.samples.size());
  parallel_for(n_folds, scorer.threads, [&](std::size_t fold) {
    std::vector<bool> is_held_out, is_learned;
    for (const std::size_t of_task : fold_of) {
      is_held_out.push_back(of_task == fold);
      is_learned.push_back(of_task != fold);
    }
    const std::vector<std::size_t> programs = tune::programs_of(all, is_held_out);
    const score::AdaptResult adapted =
        adapt(scorer, tune::part_of(all, tune::programs_of(all, is_learned)));
    const auto network = score::make_network(adapted.file, tune::dense_compiler(on_threads(1)));
    const std::vector<score::Prediction> said = network->predict(tune::part_of(all, programs).samples);
    for (std::size_t i = 0; i < programs.size(); ++i) scores[programs[i]] = value_of(said[i]);
  });
  return scores;
}

// Of the second over the first, from how far each is behind the better one.
score::Estimate change_of(const score::Estimate& first_behind, const score::Estimate& second_behind) {
  if (second_behind.value != 0) return second_behind;
  return {.value = 0 - first_behind.value,  // never -0
          .low = 0 - first_behind.high,
          .high = 0 - first_behind.low};
}

}  // namespace

score::AdaptResult adapt(const ScorerToAdapt& scorer, const score::Labelled& labelled) {
  tune::DenseCompilerOptions options = on_threads(1);
  options.folder = scorer.cache;
  options.key = scorer.file.weights;
  return score::adapt(scorer.file, tune::dense_compiler(options), labelled);
}

std::optional<BeforeAfter> judge_transfer(const ScorerToAdapt& scorer, const tune::Labels& labels) {
  const score::Labelled& programs = labels.programs;
  const std::vector<std::uint32_t> tasks = judged_tasks(programs);
  std::set<std::string> structures;
  for (const std::uint32_t task : tasks) structures.insert(labels.structures[task]);
  if (structures.size() < 2) return std::nullopt;
  BeforeAfter out{.tasks = tasks.size(), .folds = std::min(kFolds, structures.size()), .rows = {}};

  std::vector<double> before;
  for (const score::Prediction& said : scorer.network->predict(programs.samples))
    before.push_back(value_of(said));
  const std::vector<double> after = held_out_scores(scorer, labels, out.folds);
  const score::Judge judge(score::judged_set(programs.task_of, programs.seconds, tasks), {1, 5});
  const std::vector<score::Contestant> contestants = {{"before", {judge.judge(before)}},
                                                      {"after", {judge.judge(after)}}};
  std::vector<std::size_t> all(tasks.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::vector<score::Standing> standings = score::compare(judge, contestants, all);
  for (const Shown& shown : kShown) {
    const auto at = static_cast<std::size_t>(std::ranges::find(judge.metrics(), shown.metric) -
                                             judge.metrics().begin());
    out.rows.push_back({shown.name, shown.id, standings[0].estimates[at], standings[1].estimates[at],
                        change_of(standings[0].behind_best[at], standings[1].behind_best[at])});
  }
  return out;
}

}  // namespace hone::cli
