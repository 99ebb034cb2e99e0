#include "score/make_model.h"

#include "base/error.h"
#include "base/nearest.h"
#include "score/informed.h"
#include "score/random_model.h"

namespace hone::score {

const std::vector<std::string>& model_kinds() {
  static const std::vector<std::string> kKinds = {"gbdt",     "random",  "analytic",
                                                  "informed", "xgboost", "lightgbm"};
  return kKinds;
}

std::unique_ptr<Model> make_model(std::string_view kind, const ModelOptions& options) {
  if (kind == "gbdt") return std::make_unique<BoostedTrees>(options.trees);
  if (kind == "random") return std::make_unique<RandomModel>(options.seed);
  if (kind == "analytic") return std::make_unique<Analytic>(options.cycles);
  if (kind == "informed") {
    return std::make_unique<Informed>(make_model("analytic", options), options.trees,
                                      std::make_unique<Analytic>(options.cycles, Memory::Slow));
  }
  if (kind == "xgboost" || kind == "lightgbm")
    return std::make_unique<TenSetTrees>(std::string(kind), options.tenset);
  throw UserError("unknown scorer '" + std::string(kind) + "'", did_you_mean(kind, model_kinds()));
}

}  // namespace hone::score
