#include "cli/transfer_tasks.h"

#include "cli/collect_tasks.h"
#include "target/detect.h"
#include "tune/estimate.h"

namespace hone::cli {
namespace {

// Convolutions of all sorts, products, attention, and what lies between them.
const std::vector<std::string> kNetworks = {"builtin:mobilenet_v2", "builtin:squeezenet",
                                            "builtin:resnet18", "builtin:bert_tiny", "builtin:dcgan"};
constexpr double kLongestS = 1e-3;  // untuned; programs of longer ones take seconds at times

}  // namespace

std::vector<tune::CollectTask> transfer_tasks(const Transfer& options) {
  Collect collect = options.collect;
  if (!collect.models.empty() || !collect.ops.empty() || !collect.programs.empty())
    return collect_tasks(collect);
  collect.models = kNetworks;
  std::vector<tune::CollectTask> tasks = collect_tasks(collect);
  target::Target target = target::host();
  target.cores = collect.run.threads;
  std::erase_if(tasks, [&](const tune::CollectTask& task) {
    return tune::estimated_s(*task.task, target) > kLongestS;
  });
  return tasks;
}

}  // namespace hone::cli
