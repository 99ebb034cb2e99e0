// A trained network together with a set that it can read.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "train/evaluate.h"

namespace hone::train {

struct Loaded {
  DataSet set;
  std::unique_ptr<Features> features;
  std::shared_ptr<Model> model;
  std::vector<Program> programs;  // all of the set
};

// UserError when the scorer is damaged or was made for other features.
Loaded load(const std::string& scorer, const std::string& set, const std::string& device);

// One float a program into a .npy file, higher is faster; with `in_parts` three: score, spread,
// probability of being valid.
void write_scores(const std::string& path, const Said& said, bool in_parts);

}  // namespace hone::train
