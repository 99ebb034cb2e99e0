// Options that several commands share, spelled the same everywhere.
#pragma once
#include <CLI/CLI.hpp>

#include "cli/options.h"

namespace hone::cli {

void add_json(CLI::App& command, bool& json);
void add_store(CLI::App& command, bool& no_store);  // --no-store
void add_threads(CLI::App& command, int& threads, const char* help);
void add_model(CLI::App& command, ModelInput& model);   // --shape and --bind
void add_host(CLI::App& command, std::string& target);  // --target, which can only be this machine
// --machine, --threads, --seed, --fresh
void add_collecting(CLI::App& command, Collect& options);
void add_computation(CLI::App& command, Input& input);  // --op and --record

std::string full_name(const CLI::App* app);  // "hone target show"
// Throws UserError unless exactly one of --op and a file is given.
void check_input(const CLI::App* command, const Input& input);
std::string stem_of(const std::string& model);  // builtin:resnet18 -> resnet18, models/net.onnx -> net
// For CLI11's check: an empty text, or what is wrong.
std::string count_up_to(int most, const char* what, const std::string& text);

}  // namespace hone::cli
