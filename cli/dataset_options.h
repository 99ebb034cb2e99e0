// The options of `hone dataset VERB`.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>

#include "cli/options.h"

namespace hone::cli {

void add_dataset(CLI::App& app, Dataset& options);
// What the line asked for, when its command is one of the verbs.
std::optional<Dataset> dataset_verb(const CLI::App* command, Dataset options);

}  // namespace hone::cli
