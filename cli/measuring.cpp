#include "cli/measuring.h"

#include "codegen/compile.h"
#include "measure/expectation.h"
#include "measure/reference.h"

namespace hone::cli {

measure::TaskData checked_data(const std::shared_ptr<const task::Task>& task,
                               const target::Target& target) {
  measure::TaskData data = measure::expectations(*task);
  if (!data.is_sampled_whole) data.reference = measure::reference_kernel(task, target);
  return data;
}

measure::Build build_of(std::shared_ptr<const task::Task> task, Schedule schedule,
                        target::Target target) {
  return [task = std::move(task), schedule = std::move(schedule), target = std::move(target)] {
    return codegen::compile(task, schedule.steps, target, {.pack_constants = schedule.pack_constants});
  };
}

measure::Options careful(int threads) {
  measure::Options options;
  options.threads = threads;
  options.timing.min_runs = 5;
  options.timing.max_runs = 25;
  options.timing.budget_s = 0.2;
  options.timing.give_up_ratio = 1e9;
  return options;
}

}  // namespace hone::cli
