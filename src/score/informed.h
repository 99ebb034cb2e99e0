// A learner that starts from what another model knows: as trials come in, its word counts more.
#pragma once
#include <memory>

#include "score/model.h"

namespace hone::score {

// Scores are p^(1-w) * l^w of the prior's score p, scaled to the labels, and the learner's l. Few
// trials say less than analysis does, many say more: w = n / (n + 64) after n of them.
class Informed final : public Model {
 public:
  Informed(std::unique_ptr<Model> prior, std::unique_ptr<Model> learner)
      : prior_(std::move(prior)), learner_(std::move(learner)) {}

  const char* kind() const override { return "informed"; }
  void train(std::span<const Sample> samples, std::span<const double> labels) override;
  std::vector<Prediction> predict(std::span<const Sample> samples) const override;
  std::string weights() const override;
  void set_weights(const std::string& bytes) override;

 private:
  const std::unique_ptr<Model> prior_, learner_;
  int n_trials_ = 0;  // learned from, those that failed not counted
  double scale_ = 1;  // from the prior's scores to labels
};

}  // namespace hone::score
