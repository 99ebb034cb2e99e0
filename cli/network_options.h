// The command lines of `hone compile` and `hone run`, and what `hone bench` has for artefacts.
#pragma once
#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace hone::cli {

CLI::App* add_compile(CLI::App& app, Compile& options);
CLI::App* add_run(CLI::App& app, Run& options);
void add_timing(CLI::App& bench, BenchTiming& timing);

}  // namespace hone::cli
