#include "tune/trial.h"

#include "schedule/step_json.h"

namespace hone::tune {

Candidate candidate_of(schedule::Steps steps, double score) {
  std::string key = schedule::to_json(steps);
  return {std::move(steps), std::move(key), score};
}

}  // namespace hone::tune
