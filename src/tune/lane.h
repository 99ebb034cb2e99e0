// One task's way through a run: what it is searched with, what was measured, what comes next.
#pragma once
#include <functional>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tune/parts.h"
#include "tune/trial.h"

namespace hone::tune {

struct Batch {
  int round = 0;
  std::vector<Candidate> candidates;
  double search_s = 0, score_s = 0;  // what choosing them took
};

class Lane {
 public:
  explicit Lane(Parts parts);
  // Of a task whose proposer and meter take a while to make: that is done when it first chooses.
  Lane(std::shared_ptr<const task::Task> task, const target::Target& target,
       std::optional<schedule::Steps> baseline, std::function<Parts()> make);

  const task::Task& task() const { return *task_; }
  const std::shared_ptr<const task::Task>& shared_task() const { return task_; }
  const std::string& workload_key() const { return workload_key_; }
  const target::Target& target() const { return target_; }
  std::size_t n_starts() const { return parts_ ? parts_->starts.size() : 0; }
  bool is_prepared() const { return parts_.has_value(); }
  Meter& meter() const { return *parts_->meter; }

  // A trial of this session, or of an earlier one; false when its candidate is known from one.
  void add(const Trial& trial);
  bool add_earlier(const Trial& trial);
  // Trials that were added since it was last asked.
  std::vector<Trial> lesson();
  // The next batch, by all lessons so far: the untuned candidate and those worth a trial before any
  // search, then what the proposer likes best.
  // It is announced to the meter. May run beside `add`.
  Batch choose(std::size_t count, const std::vector<Trial>& lesson);

  // What the proposer likes best, the best first, when nothing will be measured.
  std::vector<Candidate> favourites(std::size_t count);

  const std::optional<Candidate>& untuned() const { return untuned_; }
  const std::vector<Trial>& trials() const { return trials_; }
  int best() const { return best_; }                // its trial; -1: none is right so far
  int baseline() const { return baseline_; }        // likewise: not measured
  double best_s() const { return time_of(best_); }  // infinite when there is none
  double baseline_s() const { return time_of(baseline_); }
  int next_round() const { return next_round_; }
  bool is_exhausted() const { return exhausted_; }  // its space holds no further candidate

  record::Record record_of(const Trial& trial) const;  // as it is logged

 private:
  std::vector<Candidate> given(std::size_t count);
  double time_of(int trial) const {
    return trial < 0 ? std::numeric_limits<double>::infinity()
                     : trials_[static_cast<std::size_t>(trial)].best_s();
  }

  const std::shared_ptr<const task::Task> task_;
  const std::string workload_key_;
  const target::Target target_;
  const std::optional<Candidate> untuned_;
  const std::function<Parts()> make_;
  std::optional<Parts> parts_;
  std::vector<Trial> trials_;
  std::size_t taught_ = 0;       // trials that were handed out as lessons
  std::set<std::string> known_;  // keys of all candidates measured or announced
  int baseline_ = -1, best_ = -1;
  int next_round_ = 0;
  bool exhausted_ = false;
};

// As they are logged.
record::TrialNote note_of(const Trial& trial);
record::RoundNote note_of(const Batch& batch, std::span<const Trial> trials);

}  // namespace hone::tune
