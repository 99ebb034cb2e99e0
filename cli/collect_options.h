// The command line of `hone collect`.
#pragma once
#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace hone::cli {

CLI::App* add_collect(CLI::App& app, Collect& options);
// Throws UserError when nothing, or no one thing, is to be measured.
void complete(const CLI::App* command, Collect& options);

}  // namespace hone::cli
