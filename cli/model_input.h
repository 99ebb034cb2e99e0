// From what the user says of a model to the model and how it is read.
#pragma once
#include <string>

#include "cli/options.h"
#include "graph/from_model.h"
#include "model/model.h"

namespace hone::cli {

// `builtin:NAME`, a file called *.onnx, or one that begins as such files do.
bool is_model(const std::string& file);

// Throws UserError, which names the file.
model::Model load_model(const std::string& file);

// Of --shape NAME=1x3x224x224 and --bind NAME=FILE. Throws UserError.
graph::ImportOptions import_options(const ModelInput& input);

}  // namespace hone::cli
