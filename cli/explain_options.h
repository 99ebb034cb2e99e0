// The command line of `hone explain`.
#pragma once
#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace hone::cli {

CLI::App* add_explain(CLI::App& app, Explain& options);
// Throws UserError when options do not go together.
void complete(const CLI::App* command, const Explain& options);

}  // namespace hone::cli
