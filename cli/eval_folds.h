// Cross-validation: models of one kind, each trained without a fold of the tasks.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "cli/eval_models.h"

namespace hone::cli {

// Every judged task is scored by the first of them that was not trained on it. Throws UserError, which
// names the kind, when all were.
std::unique_ptr<ScoreSource> folded_source(const std::string& name, std::vector<TrainedSource> folds,
                                           const EvalSet& set);

}  // namespace hone::cli
