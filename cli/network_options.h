// The command lines of `hone compile` and `hone run`.
#pragma once
#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace hone::cli {

CLI::App* add_compile(CLI::App& app, Compile& options);
CLI::App* add_run(CLI::App& app, Run& options);

}  // namespace hone::cli
