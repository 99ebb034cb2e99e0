#include "record/dataset_sample.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "base/shuffle.h"
#include "record/dataset_copy.h"
#include "record/dataset_writer.h"

namespace hone::record {
namespace {

using Numbers = std::vector<std::uint32_t>;

// The first `count` in an order that the random numbers decide, sorted again.
Numbers drawn(Numbers numbers, std::size_t count, Random random) {
  shuffle(numbers, random);
  if (count > 0) numbers.resize(std::min(count, numbers.size()));
  std::ranges::sort(numbers);
  return numbers;
}

Numbers tasks_with(const std::vector<Numbers>& programs_of, std::size_t count) {
  Numbers tasks;
  for (std::uint32_t task = 0; task < programs_of.size(); ++task)
    if (!programs_of[task].empty() && programs_of[task].size() >= count) tasks.push_back(task);
  return tasks;
}

}  // namespace

SampleSummary sample_dataset(const Dataset& set, const SampleOptions& options,
                             const std::string& output) {
  std::vector<Numbers> programs_of(set.n_tasks());
  for (std::uint32_t program = 0; program < set.n_programs(); ++program) {
    set.check_program(program);
    programs_of[set.task[program]].push_back(program);
  }
  const Numbers candidates = tasks_with(programs_of, options.per_task);
  if (candidates.empty() || candidates.size() < options.tasks)
    throw UserError(fmt::format("{} tasks of {} have {} programs or more", candidates.size(),
                                set.file.path(), std::max<std::size_t>(1, options.per_task)),
                    "ask for fewer --tasks, or for fewer programs --per-task");
  Numbers programs;
  for (const std::uint32_t task : drawn(candidates, options.tasks, Random(options.seed, 0))) {
    const Numbers some = drawn(programs_of[task], options.per_task, Random(options.seed, 1 + task));
    programs.insert(programs.end(), some.begin(), some.end());
  }
  std::ranges::sort(programs);
  DatasetWriter writer(output);
  DatasetCopy copy(set, writer);
  for (const std::uint32_t program : programs) copy.add(program);
  copy.finish();
  writer.finish();
  return {static_cast<std::int64_t>(writer.n_programs()),
          static_cast<std::int64_t>(writer.tasks().size())};
}

}  // namespace hone::record
