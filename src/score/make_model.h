// Cost models by name.
#pragma once
#include <memory>
#include <string_view>

#include "score/analytic.h"
#include "score/boosted_trees.h"
#include "score/model.h"
#include "score/tenset_trees.h"

namespace hone::score {

struct ModelOptions {
  BoostedTreesOptions trees = {};
  TenSetTreesOptions tenset = {};
  CycleColumns cycles = {};  // what the analytic model reads
  std::uint64_t seed = 0;    // of the random one
};

const std::vector<std::string>& model_kinds();  // gbdt, random, analytic, informed, xgboost, lightgbm
// Throws UserError for a kind that is none of these.
std::unique_ptr<Model> make_model(std::string_view kind, const ModelOptions& options);

}  // namespace hone::score
