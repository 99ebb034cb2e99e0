// `hone train --kind hone`: networks, which hone-train trains, and trees that join them.
#pragma once
#include <string>

#include "cli/options.h"

namespace hone::cli {

bool is_hone_kind(const std::string& kind);  // which is the default
int train_hone(const Train& options);        // on a set that has them; returns the exit code

}  // namespace hone::cli
