// The command line of `hone tune`.
#pragma once
#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace hone::cli {

CLI::App* add_tune(CLI::App& app, Tune& options);
// What can only be said when all of the line is read: defaults that depend on other options, and the
// scorer that comes with hone. Throws UserError when there is nothing to tune.
void complete(const CLI::App* command, Tune& options);

}  // namespace hone::cli
