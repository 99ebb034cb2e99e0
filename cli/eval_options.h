// The command line of `hone eval`.
#pragma once
#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace hone::cli {

CLI::App* add_eval(CLI::App& app, Eval& options);
// Throws UserError when options contradict each other.
void complete(const CLI::App* command, const Eval& options);

}  // namespace hone::cli
