// A trained network as a scorer file, and back.
#pragma once
#include <string>

#include "train/trainer.h"
#include "train/training.h"

namespace hone::train {

// UserError when the file cannot be written.
void save_network(const Job& job, const Material& material, const Features& features,
                  const Training& training);

// Gives a model the weights of a scorer file. UserError when they are not those of such a model.
void load_weights(Model& model, const std::string& weights);

}  // namespace hone::train
