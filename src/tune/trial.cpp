#include "tune/trial.h"

#include "schedule/step_json.h"

namespace hone::tune {

Candidate candidate_of(schedule::Steps steps, double score) {
  std::string key = schedule::to_json(steps);
  return {std::move(steps), std::move(key), score};
}

Trial trial_of(const record::LoggedTrial& logged) {
  Trial trial{candidate_of(logged.record.steps, logged.note.score), logged.note.round, {}, 0};
  trial.at_s = logged.note.at_s;
  trial.measurement.status = static_cast<measure::Status>(logged.record.error);
  if (trial.is_ok()) trial.measurement.seconds = logged.record.costs;
  trial.measurement.message = logged.note.message;
  trial.measurement.build_s = logged.note.build_s;
  trial.measurement.run_s = logged.note.run_s;
  const bool has_note = logged.note.build_s + logged.note.run_s > 0;
  if (!has_note) trial.measurement.run_s = logged.record.all_cost;
  return trial;
}

}  // namespace hone::tune
