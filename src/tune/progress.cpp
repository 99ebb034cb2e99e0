#include "tune/progress.h"

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

}  // namespace hone::tune
