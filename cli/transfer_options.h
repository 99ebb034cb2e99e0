// The command line of `hone transfer`.
#pragma once
#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace hone::cli {

CLI::App* add_transfer(CLI::App& app, Transfer& options);
// Fills in what follows from other options. Throws UserError when they contradict each other.
void complete(const CLI::App* command, Transfer& options);

}  // namespace hone::cli
