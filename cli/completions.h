// What a shell needs to complete hone's commands, options and the values of options.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace hone::cli {

CLI::App* add_completions(CLI::App& app, std::string& shell);

// A script for the shell, made from what the program itself reads its line with.
std::string completions(const CLI::App& app, const std::string& shell);

}  // namespace hone::cli
