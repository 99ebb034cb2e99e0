// What the command line of `hone train` says of what is learned from, for the models that hone trains
// itself.
#pragma once
#include <string>
#include <vector>

#include "cli/options.h"
#include "score/scorer_file.h"
#include "train/material.h"

namespace hone::cli {

// `settings` are those of the kind. UserError when the set or the words do not allow it.
train::Material load_material(const Train& options, const train::Options& settings);

// What a scorer of that kind says of where it comes from; it learns from the training tasks only.
score::ModelHeader header_of(const train::Material& material, const std::string& kind,
                             const std::vector<std::string>& views);

std::string options_text(const train::Options& options);  // a line each

}  // namespace hone::cli
