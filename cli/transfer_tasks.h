// Where the programs come from that `hone transfer` measures.
#pragma once
#include <vector>

#include "cli/options.h"
#include "tune/collect.h"

namespace hone::cli {

// Those that the options name; without any, the short ones of a few built-in networks.
std::vector<tune::CollectTask> transfer_tasks(const Transfer& options);

}  // namespace hone::cli
