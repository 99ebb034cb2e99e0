#include "tune/replay_meter.h"

#include <fmt/format.h>

#include "base/error.h"
#include "schedule/step_json.h"
#include "tune/trial.h"

namespace hone::tune {

ReplayMeter::ReplayMeter(const std::string& path, const std::string& workload_key) {
  const record::RunLog log = record::read_run_log(path);
  for (const record::LoggedTrial& logged : log.trials) {
    if (logged.record.workload_key != workload_key) continue;
    Trial trial = trial_of(logged);
    if (recorded_.empty()) first_ = logged.record;
    if (results_.emplace(trial.candidate.key, std::move(trial.measurement)).second)
      recorded_.push_back(std::move(trial.candidate.steps));
  }
  if (recorded_.empty()) {
    throw UserError(fmt::format("{} has no record of this task among {}", path, log.trials.size()),
                    fmt::format("records of it have the workload key {}", workload_key));
  }
}

void ReplayMeter::announce(const std::vector<schedule::Steps>& batch) { announced_.push_back(batch); }

void ReplayMeter::begin() {
  check(!announced_.empty(), "a batch is announced before it is begun");
  begun_.insert(begun_.end(), announced_.front().begin(), announced_.front().end());
  announced_.pop_front();
}

std::optional<measure::Measurement> ReplayMeter::next(double) {
  check(!begun_.empty(), "a batch is begun before its results are asked for");
  measure::Measurement result = again(begun_.front());
  begun_.pop_front();
  return result;
}

void ReplayMeter::drop_announced() { announced_.clear(); }

measure::Measurement ReplayMeter::again(const schedule::Steps& steps) {
  return results_.at(schedule::to_json(steps));
}

std::vector<Comparison> ReplayMeter::compare(const std::vector<schedule::Steps>& finalists, double) {
  std::vector<Comparison> all;
  for (const schedule::Steps& steps : finalists) all.push_back({again(steps), 0});
  return all;
}

}  // namespace hone::tune
