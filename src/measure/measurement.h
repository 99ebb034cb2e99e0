// What a trial gave.
#pragma once
#include <string>
#include <vector>

#include "worker/status.h"

namespace hone::measure {

using worker::Status;

struct Measurement {
  Status status = Status::Unknown;
  std::vector<double> seconds;  // of one call, one value a sample; empty unless status is Ok
  double noise = 0;             // median over minimum of them, less one
  bool checked = false;         // the answer was compared with what it ought to be
  bool real_time = false;       // timed under SCHED_FIFO, out of other programs' reach
  std::string message;          // why the status is not Ok
  double build_s = 0, run_s = 0;

  // The least of the samples: disturbances only ever add. Infinite when there is none.
  double best_s() const;
};

}  // namespace hone::measure
