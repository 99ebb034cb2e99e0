// `hone train --kind hone`: networks, which hone-train trains, and trees that join them.
#pragma once
#include <string>
#include <vector>

#include "cli/options.h"

namespace hone::cli {

bool is_hone_kind(const std::string& kind);  // which is the default
std::vector<std::string> hone_views();       // the features that it reads
int train_hone(const Train& options);        // on a set that has them; returns the exit code

}  // namespace hone::cli
