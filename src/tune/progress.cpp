#include "tune/progress.h"

#include "base/json_object.h"

namespace hone::tune {

int Progress::failed() const {
  int sum = 0;
  for (const Failures& one : failures) sum += one.count;
  return sum;
}

void Progress::count(const Trial& trial) {
  const int index = trials++;
  at_s = trial.at_s;
  split.build_s += trial.measurement.build_s;
  split.run_s += trial.measurement.run_s;
  if (trial.is_ok()) {
    if (trial.best_s() >= best_s) return;
    best_s = trial.best_s();
    best_trial = index;
  } else {
    Failures& failure = failures.at(static_cast<std::size_t>(trial.measurement.status));
    if (failure.count++ == 0) failure.example = trial.measurement.message;
  }
}

void Progress::count(const record::RoundNote& ended) {
  split.search_s += ended.search_s;
  split.score_s += ended.score_s;
  round = ended;
}

std::string to_json(const TimeSplit& split) {
  return JsonObject()
      .add("search_s", split.search_s)
      .add("score_s", split.score_s)
      .add("build_s", split.build_s)
      .add("run_s", split.run_s)
      .text();
}

std::string failures_json(const Progress& progress) {
  JsonObject json;
  for (std::size_t i = 0; i < kStatuses; ++i) {
    const Failures& one = progress.failures[i];
    if (one.count == 0) continue;
    json.add_json(worker::to_string(static_cast<measure::Status>(i)),
                  JsonObject().add("count", one.count).add("example", one.example).text());
  }
  return json.text();
}

}  // namespace hone::tune
