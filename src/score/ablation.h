// What parts of a program's rows do to a model's score: they are set to something else, and the model
// is asked again.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "score/model.h"

namespace hone::score {

// One number of a sample is another.
struct Change {
  std::string view;   // empty: Sample::values
  std::size_t index;  // into its values
  float value;
};
using Ablation = std::vector<Change>;  // made together

// The logarithm of what a prediction is worth, the doubt that the program works taken off. Where a
// model says less than nothing it is that of a very low score.
double log_worth(const Prediction& prediction);

// Of each ablation, by how much the logarithm of the score is higher as the sample is than with it.
std::vector<double> effects(const Predictor& model, const Sample& sample,
                            std::span<const Ablation> ablations);

}  // namespace hone::score
