// What answers candidates with times: this machine, or a log of what one answered before.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "measure/measurement.h"
#include "schedule/step.h"

namespace hone::tune {

// A finalist's times, measured in turn with those of the others.
struct Comparison {
  measure::Measurement warm;  // caches as the call before left them
  double cold_s = 0;          // least time with the constants out of the caches; 0: not known
};

class Meter {
 public:
  virtual ~Meter() = default;
  // Whether it can say anything about the candidate.
  virtual bool knows(const std::string& /*key*/) const { return true; }

  // Announces the next batch, from any thread; what can be done early is done from now on.
  virtual void announce(const std::vector<schedule::Steps>& batch) = 0;
  // Begins to measure the oldest announced batch that is not yet begun.
  virtual void begin() = 0;
  // The next result of the batch that was begun, in the order of its candidates; empty when there was
  // none within the time. Throws what measuring threw.
  virtual std::optional<measure::Measurement> next(double wait_s) = 0;
  // Forgets all batches that were announced and not begun.
  virtual void drop_announced() = 0;

  // Whether the next batch may be chosen while one is measured, and on which processors (all: empty).
  virtual bool overlaps() const = 0;
  virtual std::vector<int> free_cpus() const { return {}; }
  // Whether times are measured now: such a run has a clock and a date.
  virtual bool is_live() const = 0;

  // One result a finalist; about `budget_s` is spent. Not while a batch is being measured.
  virtual std::vector<Comparison> compare(const std::vector<schedule::Steps>& finalists,
                                          double budget_s) = 0;
  // One candidate in the way in which batches are measured, however slow it is.
  virtual measure::Measurement again(const schedule::Steps& steps) = 0;
};

}  // namespace hone::tune
