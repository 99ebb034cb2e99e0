// `hone inspect` of a model: what it takes and gives, its operators, its graph.
#pragma once
#include <string>

#include "cli/options.h"

namespace hone::cli {

bool is_model_stage(const std::string& source);  // for --source

int inspect_model(const Inspect& options);  // gives the exit code

}  // namespace hone::cli
