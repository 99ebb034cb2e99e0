// Programs that a trained scorer learns this machine from: a few of each of many tasks, out of all that
// could be measured.
#pragma once
#include <vector>

#include "score/network.h"
#include "target/target.h"
#include "tune/collect.h"

namespace hone::tune {

struct LabelOptions {
  std::size_t labels = 500;  // programs to measure
  bool is_active = true;     // by what the scorer says of them; else at random
  std::size_t pool = 96;     // programs of each task to choose among
  std::uint64_t seed = 1;
  int jobs = 1;  // threads that make programs and features
};

// The tasks to measure, each with its programs: those of the task, or samples of its spaces. Of tasks
// with the same key the first counts. The scorer tells what its last layer read. Programs that it
// cannot read are left out. The result depends on neither threads nor time.
std::vector<CollectTask> choose_labels(std::vector<CollectTask> tasks, const target::Target& target,
                                       const score::Network& scorer, const LabelOptions& options);

}  // namespace hone::tune
