// The commands: each prints its data to stdout and returns the exit code.
#pragma once
#include "cli/options.h"

namespace hone::cli {

int show_target(const ShowTarget& options);
int doctor(const Doctor& options);

}  // namespace hone::cli
