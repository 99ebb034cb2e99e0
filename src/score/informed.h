// Boosted trees that start from what another model knows: they learn where it is wrong.
#pragma once
#include <memory>

#include "score/boosted_trees.h"
#include "score/model.h"

namespace hone::score {

// A score is that of the prior, scaled to the labels, times exp(r). The trees learn r, a sum over
// statements that is 0 where nothing is known: a statement that no trial had is worth what the prior
// says. Trees that learn scores themselves would credit it with the share of the statements it
// resembles, and search finds such programs. Where another opinion is given, it has a voice of its own
// until there is something to learn from.
class Informed final : public Model {
 public:
  Informed(std::shared_ptr<const Predictor> prior, const BoostedTreesOptions& trees,
           std::shared_ptr<const Predictor> other = nullptr)
      : prior_(std::move(prior)), other_(std::move(other)), correction_(trees) {}

  const char* kind() const override { return "informed"; }
  void train(std::span<const Sample> samples, std::span<const double> labels) override;
  std::vector<Prediction> predict(std::span<const Sample> samples) const override;
  int n_voices() const override { return n_trials_ == 0 && other_ != nullptr ? 2 : 1; }
  std::vector<Prediction> predict_as(int voice, std::span<const Sample> samples) const override {
    return voice == 0 ? predict(samples) : other_->predict(samples);
  }
  std::string weights() const override;
  void set_weights(const std::string& bytes) override;

 private:
  const std::shared_ptr<const Predictor> prior_, other_;
  BoostedTrees correction_;
  int n_trials_ = 0;  // learned from, those that failed not counted
  double scale_ = 1;  // from the prior's scores to labels
};

}  // namespace hone::score
