#include "tune/collect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <set>

#include "base/clock.h"
#include "base/error.h"
#include "space/tiling.h"
#include "target/detect.h"
#include "task/key.h"
#include "tune/make_proposer.h"
#include "tune/sample_proposer.h"
#include "tune/tune.h"

namespace hone::tune {
namespace {

constexpr std::size_t kBatch = 40;

// Programs drawn at random are slow to build or to run at times: none is worth minutes. What takes more
// than ten times the best is timed by its first call alone, which at that length is as good as another.
measure::Options measuring(int threads) {
  measure::Options options;
  options.threads = threads;
  options.build_limit_s = 5;
  options.run_limit_s = 5;
  options.timing.hopeless_ratio = 10;
  return options;
}

// Small, because every batch asks for a few only.
std::unique_ptr<search::Search> small_evolution(const Candidates& candidates, search::Options options) {
  options.population = 96;
  options.early_factor = 1;
  options.generations = 3;
  return search::make_search("evolution", candidates, options);
}

std::unique_ptr<Proposer> sampler(const std::shared_ptr<const task::Task>& task,
                                  const target::Target& target, const CollectOptions& options) {
  const auto space = [&](SpaceKind kind) {
    return std::make_unique<SpaceCandidates>(make_space(task, target, kind));
  };
  Options search;
  search.seed = options.seed;
  search.jobs = options.jobs;
  return std::make_unique<SampleProposer>(
      space(SpaceKind::Ansor), space(SpaceKind::Hone),
      make_proposer(task, target, space(SpaceKind::Hone), search, small_evolution), options.seed);
}

}  // namespace

double CollectProgress::left_s() const {
  const std::size_t now = programs - resumed;
  if (now == 0) return std::numeric_limits<double>::infinity();
  return session_s / static_cast<double>(now) *
         static_cast<double>(wanted - std::min(wanted, programs));
}

Collection::Collection(std::vector<CollectTask> tasks, const CollectOptions& options,
                       const CollectListener& listener, const std::atomic<bool>& stop)
    : options_(options),
      listener_(listener),
      stop_(stop),
      started_s_(now_s()),
      target_(target::host()),
      folder_(options.folder, options.fresh) {
  target_.cores = options_.threads;
  std::set<std::string> keys;
  for (CollectTask& task : tasks) {
    std::string key = task::tvm_key(*task.task);
    if (!keys.insert(key).second) continue;
    const std::size_t wanted =
        task.programs.empty() ? static_cast<std::size_t>(options_.per_task) : task.programs.size();
    progress_.wanted += wanted;
    jobs_.push_back({std::move(task), std::move(key), {}, wanted});
  }
  progress_.n_tasks = jobs_.size();
}

void Collection::resume() {
  const auto refuse = [&](const std::string& theirs, const std::string& ours) {
    throw UserError(
        fmt::format("{} holds what {} measured, and this is {}", folder_.path(), theirs, ours),
        "choose another file with -o, or start over with --fresh");
  };
  const std::string target = target::to_string(target_), compiler = compiler_name();
  if (const auto& begin = folder_.earlier().begin) {
    if (begin->compiler != compiler) refuse(begin->compiler, compiler);
    if (begin->target != target) refuse(begin->target, target);
  }
  std::map<std::string, Job*> by_key;
  for (Job& job : jobs_) by_key[job.key] = &job;
  for (const record::LoggedTrial& logged : folder_.earlier().trials) {
    const auto found = by_key.find(logged.record.workload_key);
    if (found == by_key.end()) continue;
    found->second->earlier.push_back(trial_of(logged));
    ++progress_.programs;
    progress_.failed += found->second->earlier.back().is_ok() ? 0 : 1;
  }
  progress_.resumed = progress_.programs;
  folder_.append(record::Begin{.compiler = compiler,
                               .task = fmt::format("programs of {} tasks", jobs_.size()),
                               .workload_key = {},
                               .target = target,
                               .replay = {},
                               .seed = options_.seed,
                               .time = std::time(nullptr)});
}

CollectProgress Collection::run() {
  resume();
  advance();
  if (current_ != nullptr) Rounds(*this).run();
  current_.reset();
  previous_.reset();
  progress_.state = stop_ ? record::RunState::Stopped : record::RunState::Done;
  folder_.append(record::End{progress_.state});
  tell();
  return progress_;
}

Parts Collection::parts_of(const CollectTask& task) const {
  Parts parts;
  parts.task = task.task;
  parts.target = target_;
  parts.meter = live_meter(task.task, target_, measuring(options_.threads), {.is_one_of_many = true});
  if (task.programs.empty()) {
    parts.proposer = sampler(task.task, target_, options_);
    parts.baseline = space::analytic_steps(*task.task, target_, target_.cores);
  } else {
    parts.proposer = std::make_unique<ListProposer>(task.programs);
  }
  return parts;
}

std::unique_ptr<Lane> Collection::lane_of(Job& job) const {
  std::optional<schedule::Steps> baseline;
  if (job.task.programs.empty())
    baseline = space::analytic_steps(*job.task.task, target_, target_.cores);
  auto lane = std::make_unique<Lane>(job.task.task, target_, std::move(baseline),
                                     [this, &job] { return parts_of(job.task); });
  for (const Trial& trial : job.earlier) lane->add_earlier(trial);
  return lane;
}

// To the next task that lacks programs. The lane before the last one is no longer in use.
void Collection::advance() {
  previous_ = std::move(current_);
  const auto has_all = [](const Job& job) { return job.earlier.size() >= job.wanted; };
  while (next_job_ < jobs_.size() && has_all(jobs_[next_job_])) ++next_job_;
  progress_.tasks_done = next_job_;
  if (next_job_ == jobs_.size()) return;
  Job& job = jobs_[next_job_++];
  wanted_ = job.wanted;
  current_ = lane_of(job);
  progress_.task = current_->task().name;
}

Rounds::Order Collection::next(std::size_t in_flight) {
  while (current_ != nullptr) {
    const std::size_t have = current_->trials().size() + in_flight;
    if (have < wanted_ && !current_->is_exhausted())
      return {current_.get(), std::min(kBatch, wanted_ - have)};
    if (have < wanted_) progress_.wanted -= wanted_ - have;
    advance();
    in_flight = 0;  // that was of the lane before
  }
  return {};
}

void Collection::waits_for(const char* /*what*/) { tell(); }

void Collection::measured(Lane& lane, Trial trial) {
  trial.at_s = now_s() - started_s_;
  folder_.append(lane.record_of(trial), note_of(trial));
  lane.add(trial);
  ++progress_.programs;
  progress_.failed += trial.is_ok() ? 0 : 1;
  tell();
}

void Collection::ended(Lane& /*lane*/, const Batch& batch, std::span<const Trial> trials) {
  folder_.append(note_of(batch, trials));
}

void Collection::tell() {
  progress_.session_s = now_s() - started_s_;
  if (listener_) listener_(progress_);
}

}  // namespace hone::tune
