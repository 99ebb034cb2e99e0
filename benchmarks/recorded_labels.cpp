#include "benchmarks/recorded_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/gzip.h"
#include "score/label_choice.h"
#include "target/detect.h"
#include "tune/dense_compiler.h"

namespace hone::bench {
namespace {

using score::Prediction;

constexpr std::size_t kFolds = 4;                              // one of them is judged on
constexpr std::uint64_t kOfTasks = 0x7a5c, kOfPools = 0x9709;  // streams of random numbers

score::CompileDense compiler(int threads) {
  target::Target target = target::host();
  target.cores = threads;
  return tune::dense_compiler({.target = target});
}

std::vector<double> scores_of(std::span<const Prediction> said) {
  std::vector<double> out;
  for (const Prediction& one : said) out.push_back(one.score * one.valid);
  return out;
}

template <class T>
std::vector<T> picked(const std::vector<T>& all, const Numbers& numbers) {
  std::vector<T> out;
  for (const std::size_t number : numbers) out.push_back(all[number]);
  return out;
}

}  // namespace

RecordedLabels::RecordedLabels(const std::string& set, const std::string& scorer, int threads)
    : threads_(threads),
      file_(score::parse_scorer(read_maybe_gzip(scorer), scorer)),
      known_(network_of(file_)),
      labels_(tune::labels_of(record::Dataset::open(set), *known_, threads)),
      said_(known_->predict(labels_.programs.samples)),
      programs_(labels_.programs.keys.size()) {
  const score::Labelled& all = labels_.programs;
  for (std::size_t i = 0; i < all.samples.size(); ++i) programs_[all.task_of[i]].push_back(i);
  const Numbers fold_of = tune::deal_folds(labels_, kFolds);
  std::vector<std::uint32_t> judged_on;
  for (std::uint32_t task = 0; task < programs_.size(); ++task) {
    if (fold_of[task] == 0)
      judged_on.push_back(task);
    else if (!programs_[task].empty())
      tasks_.push_back(task);
  }
  judge_ = std::make_unique<const score::Judge>(score::judged_set(all.task_of, all.seconds, judged_on),
                                                std::vector{1, 5});
}

std::shared_ptr<const score::Network> RecordedLabels::network_of(const score::ScorerFile& file) const {
  return score::make_network(file, compiler(threads_), true);
}

Numbers RecordedLabels::choose_tasks(std::size_t n, bool is_active, std::uint64_t seed) const {
  if (n >= tasks_.size()) return tasks_;
  if (!is_active) return picked(tasks_, score::choose_randomly(tasks_.size(), n, seed, kOfTasks));
  std::vector<score::Prospect> places;
  for (const std::size_t task : tasks_) places.push_back({said_[programs_[task].front()].hidden});
  return picked(tasks_, score::cover(places, n));
}

Numbers RecordedLabels::choose(std::size_t n, bool is_active, std::size_t pool,
                               std::uint64_t seed) const {
  std::vector<Numbers> pools;
  Numbers room;
  for (const std::size_t task : choose_tasks(score::tasks_for(n), is_active, seed)) {
    pools.push_back(picked(
        programs_[task], score::choose_randomly(programs_[task].size(), pool, seed, kOfPools + task)));
    room.push_back(pools.back().size());
  }
  const Numbers shares = score::even_shares(n, room);
  Numbers out;
  for (std::size_t i = 0; i < pools.size(); ++i) {
    // Of a pool that was drawn at random the first ones are a random choice.
    if (is_active)
      pools[i] = picked(pools[i], score::choose_actively(picked(said_, pools[i]), shares[i]));
    pools[i].resize(shares[i]);
    out.insert(out.end(), pools[i].begin(), pools[i].end());
  }
  return out;
}

Numbers RecordedLabels::all() const {
  Numbers out;
  for (const std::size_t task : tasks_)
    out.insert(out.end(), programs_[task].begin(), programs_[task].end());
  return out;
}

std::vector<score::Verdict> RecordedLabels::unadapted() const {
  return judge_->judge(scores_of(said_));
}

std::vector<score::Verdict> RecordedLabels::adapted(const Numbers& programs) const {
  const score::Labelled& all = labels_.programs;
  const score::AdaptResult adapted =
      score::adapt(file_, compiler(threads_), tune::part_of(all, programs));
  Numbers asked;
  for (const score::JudgedTask& task : judge_->set().tasks)
    asked.insert(asked.end(), task.programs.begin(), task.programs.end());
  const std::vector<double> said =
      scores_of(network_of(adapted.file)->predict(picked(all.samples, asked)));
  std::vector<double> scores(all.samples.size());
  for (std::size_t i = 0; i < asked.size(); ++i) scores[asked[i]] = said[i];
  return judge_->judge(scores);
}

std::string RecordedLabels::in_words() const {
  return fmt::format(
      "{} programs of {} tasks to choose from, {} tasks of other structures to be judged on",
      all().size(), tasks_.size(), judge_->set().tasks.size());
}

}  // namespace hone::bench
