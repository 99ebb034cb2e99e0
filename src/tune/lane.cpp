#include "tune/lane.h"

#include <algorithm>
#include <ctime>

#include "space/hardware.h"
#include "task/key.h"
#include "tune/ranking.h"

namespace hone::tune {
namespace {

constexpr double kFailedCost = 1e10;  // as TVM writes it
constexpr int kPackedBefore = 2;      // layout option: constants arrive as the schedule reads them

std::optional<Candidate> untuned_candidate(const std::optional<schedule::Steps>& baseline) {
  if (!baseline) return std::nullopt;
  return candidate_of(*baseline);
}

}  // namespace

Lane::Lane(Parts parts)
    : task_(parts.task),
      workload_key_(task::tvm_key(*task_)),
      target_(parts.target),
      untuned_(untuned_candidate(parts.baseline)),
      parts_(std::move(parts)) {}

Lane::Lane(std::shared_ptr<const task::Task> task, const target::Target& target,
           std::optional<schedule::Steps> baseline, std::function<Parts()> make)
    : task_(std::move(task)),
      workload_key_(task::tvm_key(*task_)),
      target_(target),
      untuned_(untuned_candidate(baseline)),
      make_(std::move(make)) {}

void Lane::add(const Trial& trial) {
  const int number = static_cast<int>(trials_.size());
  if (untuned_ && baseline_ < 0 && trial.candidate.key == untuned_->key) baseline_ = number;
  if (trial.is_ok() && trial.best_s() < best_s()) best_ = number;
  trials_.push_back(trial);
}

bool Lane::add_earlier(const Trial& trial) {
  if (!known_.insert(trial.candidate.key).second) return false;
  next_round_ = std::max(next_round_, trial.round + 1);
  add(trial);
  return true;
}

std::vector<Trial> Lane::lesson() {
  const auto first = trials_.begin() + static_cast<std::ptrdiff_t>(taught_);
  taught_ = trials_.size();
  return {first, trials_.end()};
}

// The untuned candidate and the starts, as far as they are not known.
std::vector<Candidate> Lane::given(std::size_t count) {
  std::vector<Candidate> all;
  if (untuned_) all.push_back(*untuned_);
  for (const schedule::Steps& steps : parts_->starts) all.push_back(candidate_of(steps));
  std::vector<Candidate> unknown;
  for (Candidate& candidate : all) {
    if (unknown.size() == count) break;
    if (parts_->meter->knows(candidate.key) && known_.insert(candidate.key).second)
      unknown.push_back(std::move(candidate));
  }
  return unknown;
}

Batch Lane::choose(std::size_t count, const std::vector<Trial>& lesson) {
  if (!parts_) parts_ = make_();
  parts_->proposer->learn(lesson);
  Batch batch{.round = next_round_++, .candidates = given(count)};
  const auto is_known = [&](const std::string& key) {
    return known_.contains(key) || !parts_->meter->knows(key);
  };
  Proposals proposals =
      parts_->proposer->propose(batch.round, count - batch.candidates.size(), is_known);
  batch.search_s = proposals.search_s;
  batch.score_s = proposals.score_s;
  for (Candidate& candidate : proposals.candidates) {
    known_.insert(candidate.key);
    batch.candidates.push_back(std::move(candidate));
  }
  std::vector<schedule::Steps> steps;
  for (const Candidate& candidate : batch.candidates) steps.push_back(candidate.steps);
  exhausted_ = steps.empty();
  if (!exhausted_) parts_->meter->announce(steps);
  return batch;
}

std::vector<Candidate> Lane::favourites(std::size_t count) {
  if (!parts_) parts_ = make_();
  const auto is_known = [&](const std::string& key) { return !parts_->meter->knows(key); };
  return parts_->proposer->propose(next_round_++, count, is_known).candidates;
}

record::Record Lane::record_of(const Trial& trial) const {
  record::Record record;
  record.workload_key = workload_key_;
  record.target = target::to_string(target_);
  const auto numbers = space::to_numbers(space::hardware_of(target_));
  record.hardware.assign(numbers.begin(), numbers.end());
  record.layout_option = kPackedBefore;
  record.steps = trial.candidate.steps;
  record.error = static_cast<int>(trial.measurement.status);
  record.costs = trial.is_ok() ? trial.measurement.seconds : std::vector<double>{kFailedCost};
  record.all_cost = trial.measurement.build_s + trial.measurement.run_s;
  record.timestamp = parts_ && parts_->meter->is_live() ? std::time(nullptr) : 0;
  return record;
}

record::TrialNote note_of(const Trial& trial) {
  return {.round = trial.round,
          .score = trial.candidate.score,
          .build_s = trial.measurement.build_s,
          .run_s = trial.measurement.run_s,
          .at_s = trial.at_s,
          .message = trial.measurement.message};
}

record::RoundNote note_of(const Batch& batch, std::span<const Trial> trials) {
  const Ranking ranking = ranking_of(trials);
  return {.round = batch.round,
          .search_s = batch.search_s,
          .score_s = batch.score_s,
          .rank_correlation = ranking.rank_correlation,
          .top1 = ranking.top1};
}

}  // namespace hone::tune
