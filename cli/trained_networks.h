// Networks of hone's model that were trained before, with the set they were trained on.
#pragma once
#include <string>

#include "cli/options.h"
#include "score/scorer_file.h"
#include "train/material.h"

namespace hone::cli {

struct TrainedNetworks {
  score::ScorerFile file;
  train::Options options;  // they were trained with; of trees the defaults where the file says nothing
  train::Material material;  // as it was for them
};

// From the file `path`; set and fold are those of the options. UserError when the file holds no
// networks of hone's model, or when they were trained on other data or with another fold left out.
TrainedNetworks load_networks(const std::string& path, const Train& options);

}  // namespace hone::cli
