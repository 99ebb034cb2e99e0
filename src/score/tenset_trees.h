// TenSet's tree models: the sum over a program's statements is its speed relative to the best of the
// task, and the error of a program is spread over its statements (the pack-sum objective).
#pragma once
#include <memory>

#include "score/model.h"
#include "score/row_booster.h"

namespace hone::score {

struct TenSetTreesOptions {
  int rounds = 0;      // trees at most; 0: as published, 300 of XGBoost and 2,000 of LightGBM
  int patience = 100;  // trees without a lower training error before it stops
  int threads = 1;
};

class TenSetTrees final : public Model {
 public:
  // `kind`: xgboost or lightgbm.
  TenSetTrees(std::string kind, const TenSetTreesOptions& options);

  const char* kind() const override { return kind_.c_str(); }
  void train(std::span<const Sample> samples, std::span<const double> labels) override;
  std::vector<Prediction> predict(std::span<const Sample> samples) const override;
  std::string weights() const override;
  void set_weights(const std::string& bytes) override;

 private:
  std::string kind_;
  TenSetTreesOptions options_;
  RowBoosterPointer trees_;  // null before anything was learned: all scores are 0
};

}  // namespace hone::score
