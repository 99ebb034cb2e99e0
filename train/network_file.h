// A trained network as a scorer file, and back.
#pragma once
#include <string>

#include "score/scorer_file.h"
#include "train/trainer.h"
#include "train/training.h"

namespace hone::train {

// UserError when the file cannot be written.
void save_network(const Job& job, const Material& material, const Features& features,
                  const Training& training);

// Reads a scorer file. UserError when it is none.
score::ScorerFile read_scorer(const std::string& path);

// Gives a model the weights of a scorer file. UserError when they are not those of such a model.
void load_weights(Model& model, const std::string& weights);

// Gives a model of that kind the weights of the scorer `path`, to learn on from there; trees beside
// them stay behind. UserError when the scorer is of another kind, size or for other features.
void start_from(Model& model, const std::string& path, const std::string& kind,
                const Features& features);

}  // namespace hone::train
