// What a user may choose about the tuning of networks.
#pragma once
#include <string>
#include <vector>

#include "tune/objective.h"
#include "tune/options.h"
#include "tune/scheduler.h"

namespace hone::tune {

struct NetworkOptions {
  Options run;                         // those that runs for one task have, too
  std::vector<std::string> artefacts;  // where each network's goes
  bool exact = false;                  // no algorithm that rounds otherwise than the definition
  double tolerance = 1e-3;             // what such algorithms may change in a network's outputs
  SchedulerKind scheduler = SchedulerKind::Gradient;
  Objective objective;
  std::vector<int> only;             // choices to tune; empty: all
  std::string store;                 // of earlier winners; empty: only this run's
  std::vector<std::string> records;  // logs or folders of runs whose winners are tried first
};

}  // namespace hone::tune
