// The command line of `hone train`.
#pragma once
#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace hone::cli {

CLI::App* add_train(CLI::App& app, Train& options);

}  // namespace hone::cli
