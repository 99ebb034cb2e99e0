// The command line of `hone bench`.
#pragma once
#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace hone::cli {

CLI::App* add_bench(CLI::App& app, Bench& options);
// What no single option can tell is wrong. Throws UserError.
void complete(const CLI::App* command, Bench& options);

}  // namespace hone::cli
