// Cost models that hone trains itself, in scorer files.
#pragma once
#include <memory>
#include <string>

#include "score/make_model.h"
#include "score/scorer_file.h"

namespace hone::score {

// Sixteen hexadecimal digits; another set of samples or labels gives others.
std::string data_hash(std::span<const Sample> samples, std::span<const double> labels);

// Writes the whole file or nothing. The kind is taken from the model. Throws UserError when the file
// cannot be written.
void save_model(const std::string& path, ModelHeader header, const Model& model);

struct LoadedModel {
  ModelHeader header;
  std::unique_ptr<Model> model;
};

// Throws UserError, with a hint, when the file is missing or damaged or when its model was made for
// other features than `features`.
LoadedModel load_model(const std::string& path, const std::string& features,
                       const ModelOptions& options);

}  // namespace hone::score
