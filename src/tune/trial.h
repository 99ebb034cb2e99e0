// Candidates and what came of them, as the loop sees them.
#pragma once
#include <string>
#include <vector>

#include "measure/measurement.h"
#include "record/run_log.h"
#include "schedule/step.h"

namespace hone::tune {

struct Candidate {
  schedule::Steps steps;
  std::string key;               // the steps as text: two candidates are one when it is equal
  double score = record::kNone;  // predicted; none when nothing was
};
Candidate candidate_of(schedule::Steps steps, double score = record::kNone);

struct Trial {
  Candidate candidate;
  int round = 0;
  measure::Measurement measurement;
  double at_s = 0;  // seconds of tuning, see record::TrialNote

  bool is_ok() const { return measurement.status == measure::Status::Ok; }
  double best_s() const { return measurement.best_s(); }  // infinite when it failed
};

// As a log has it.
Trial trial_of(const record::LoggedTrial& logged);

}  // namespace hone::tune
