// What `hone collect` measures, and what its machine is called.
#pragma once
#include <vector>

#include "cli/options.h"
#include "record/machines.h"
#include "tune/collect.h"

namespace hone::cli {

// Those of the networks with how often each network does them, of the operators, or of the set whose
// programs are to be measured. Throws UserError.
std::vector<tune::CollectTask> collect_tasks(const Collect& options);

record::Machine this_machine(const Collect& options);

}  // namespace hone::cli
