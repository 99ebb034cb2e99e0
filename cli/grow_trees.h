// Growing trees with progress, until they are done or the user has seen enough.
#pragma once
#include <optional>
#include <vector>

#include "cli/train_display.h"
#include "cli/validation.h"
#include "score/grow_forest.h"
#include "score/scorer_file.h"
#include "train/options.h"

namespace hone::cli {

// What trees learn from: a row, a label and, unless all count the same, a weight a program.
struct TreeLesson {
  score::Table table;
  std::vector<float> labels, weights = {};
};

struct Growth {
  std::optional<score::Forest> forest;  // nothing when it was stopped
  std::vector<double> errors = {};      // after each tree
};

// Of the options trees, tree_depth, tree_rate and seed.
score::ForestOptions forest_options(const train::Options& options, int threads);

// UserError when there is nothing to learn from.
Growth grow_trees(const TreeLesson& lesson, const score::ForestOptions& options, TrainDisplay& display);

// Writes the scorer of these trees with their curve, and says that it is done.
void write_grown(score::ScorerFile file, const Growth& growth, const Quality& quality, double start_s,
                 const std::string& output, TrainDisplay& display);

}  // namespace hone::cli
