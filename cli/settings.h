// Options that stand in files: what the command line and the environment leave open is taken from
// ./hone.toml, and what that leaves open from ~/.config/hone/config.toml.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/settings_file.h"

namespace hone::cli {

inline constexpr const char* kProjectFile = "hone.toml";

// Sections are commands and keys their options. UserError for those that there are not, with the
// nearest ones that there are. Where a key is in both files, the project's is kept.
std::vector<Setting> load_settings(const CLI::App& app);

// Gives a command, after its line was read, the options that it was not given.
void apply(const std::vector<Setting>& settings, CLI::App& command);

// The options of a command and of those below it that can be set: all with a long name but --help.
std::vector<const CLI::Option*> options_of(const CLI::App& section);
const std::string& key_of(const CLI::Option& option);

}  // namespace hone::cli
