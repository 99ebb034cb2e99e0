// `hone config show`: which options files and the environment set, and where.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/settings_file.h"

namespace hone::cli {

struct ShowConfig {
  bool origin = false, json = false;
};
CLI::App* add_config(CLI::App& app, ShowConfig& options);

// Each option that is set, with the value that wins: a file of settings, or JSON.
std::string show_config(const CLI::App& app, const std::vector<Setting>& settings,
                        const ShowConfig& options);

}  // namespace hone::cli
