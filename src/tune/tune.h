// The loop for one task: choose, build, measure, learn, again.
#pragma once
#include <atomic>
#include <memory>

#include "base/clock.h"
#include "target/target.h"
#include "task/task.h"
#include "tune/event.h"
#include "tune/meter.h"
#include "tune/options.h"
#include "tune/proposer.h"
#include "tune/summary.h"

namespace hone::tune {

// What the loop runs on; tests put in their own.
struct Parts {
  double started_s = now_s();  // budgets count from here: preparing a task takes time too
  std::shared_ptr<const task::Task> task;
  target::Target target;                    // its cores are the threads of a kernel
  std::optional<schedule::Steps> baseline;  // what hone emits untuned
  std::vector<schedule::Steps> starts;      // worth a trial before any search: winners of like tasks
  std::unique_ptr<Proposer> proposer;
  std::unique_ptr<Meter> meter;
};

// The parts that the options ask for. UserError when there is no machine or no log to take times from.
Parts make_parts(std::shared_ptr<const task::Task> task, const Options& options);

// The target in a few words: "znver4, vectors of 512 bits, 1 thread".
std::string machine_name(const target::Target& target);

// Which kernels a time counts for: the version of hone and of the compiler behind it.
std::string compiler_name();

// Resumes the run of options.folder, where there is one. When `stop` becomes true the batch in flight
// is finished and the run ends as stopped. UserError when the folder cannot be used; what was
// measured until then stays in it.
Summary run(Parts parts, const Options& options, const Listener& listener,
            const std::atomic<bool>& stop);

}  // namespace hone::tune
