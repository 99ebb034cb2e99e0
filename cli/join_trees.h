// Grows trees on the set that networks were trained on, and writes both as one scorer.
#pragma once
#include <string>

#include "cli/options.h"

namespace hone::cli {

// Tasks that the networks did not learn from are kept from the trees, too. UserError as from
// load_networks. Returns the exit code.
int join_trees(const Train& options, const std::string& networks);

}  // namespace hone::cli
