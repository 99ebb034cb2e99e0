// Options that several commands share, spelled the same everywhere.
#pragma once
#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace hone::cli {

void add_json(CLI::App& command, bool& json);
void add_threads(CLI::App& command, int& threads, const char* help);
void add_model(CLI::App& command, ModelInput& model);  // --shape and --bind
// For CLI11's check: an empty text, or what is wrong.
std::string count_up_to(int most, const char* what, const std::string& text);

}  // namespace hone::cli
