// What the loop for a task runs on.
#pragma once
#include <memory>
#include <optional>

#include "base/clock.h"
#include "measure/measurer.h"
#include "target/target.h"
#include "task/task.h"
#include "tune/learned_scorer.h"
#include "tune/meter.h"
#include "tune/options.h"
#include "tune/proposer.h"

namespace hone::tune {

// Tests put in their own.
struct Parts {
  double started_s = now_s();  // budgets count from here: preparing a task takes time too
  std::shared_ptr<const task::Task> task;
  target::Target target;                    // its cores are the threads of a kernel
  std::optional<schedule::Steps> baseline;  // what hone emits untuned
  std::vector<schedule::Steps> starts;      // worth a trial before any search: winners of like tasks
  std::unique_ptr<Proposer> proposer;
  std::unique_ptr<Meter> meter;
};

// Under which a task is tuned.
struct Conditions {
  bool cold_constants = false;  // as in a network whose weights do not stay in the caches
  bool is_one_of_many = false;  // beginning and choosing are to take little time
  std::shared_ptr<const score::Network> scorer = nullptr;  // null: loaded when the options name one
};

// The trained scorer that the options name, if they do, for kernels that are tuned for the target.
std::shared_ptr<const score::Network> scorer_of(const Options& options, target::Target target);
// Times candidates on this machine and checks their answers.
std::unique_ptr<Meter> live_meter(const std::shared_ptr<const task::Task>& task,
                                  const target::Target& target, const measure::Options& options,
                                  const Conditions& conditions);

// The parts that the options ask for. UserError when there is no machine or no log to take times from.
Parts make_parts(std::shared_ptr<const task::Task> task, const Options& options,
                 const Conditions& conditions = {});

}  // namespace hone::tune
