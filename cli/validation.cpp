#include "cli/validation.h"

#include "score/metrics.h"

namespace hone::cli {

Quality validate(const train::DataSet& set, const train::TaskIds& tasks, const ScorePrograms& score) {
  Quality sum;
  for (const std::uint32_t id : tasks) {
    const train::Task& task = set.tasks[id];
    const std::vector<double> scores = score(task.programs), times = train::relative_times(set, task);
    sum.top1 += score::top_k(scores, times, 1) / static_cast<double>(tasks.size());
    sum.top5 += score::top_k(scores, times, 5) / static_cast<double>(tasks.size());
  }
  return sum;
}

}  // namespace hone::cli
