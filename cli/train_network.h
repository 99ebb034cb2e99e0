// Networks are trained by the program hone-train.
#pragma once
#include <string>
#include <vector>

#include "cli/options.h"

namespace hone::cli {

// The words that name kind and settings to it.
void add_kind(std::vector<std::string>& arguments, const Train& options);

// On a set that has all features. Returns the exit code.
int train_network(const Train& options);

}  // namespace hone::cli
