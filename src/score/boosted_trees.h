// Ansor's cost model: boosted trees over statements, whose sum is the program's score; several of them,
// so that their disagreement tells how sure they are.
#pragma once
#include <optional>

#include "score/booster.h"
#include "score/model.h"

namespace hone::score {

struct BoostedTreesOptions {
  std::uint64_t seed = 0;
  int members = 4;
  int rounds = 30;  // trees of a member
  int threads = 1;  // members are trained and asked in parallel; the result does not depend on it
  BoosterOptions booster = {};
};

// The loss of a program is its label times the squared error of its score (good programs dominate).
// Members differ in the random weight each gives to a program (the Bayesian bootstrap) and in the
// columns their trees look at. Whether a program works is learned apart, by a logistic sum of trees
// over all trials, and only when some have failed: a failure has label 0 and so no weight in the loss
// above.
class BoostedTrees final : public Model {
 public:
  explicit BoostedTrees(const BoostedTreesOptions& options) : options_(options) {}

  const char* kind() const override { return "gbdt"; }
  void train(std::span<const Sample> samples, std::span<const double> labels) override {
    fit(samples, labels, labels);
  }
  // The same with any numbers as scores; a weight is the label that says how much a program counts.
  void fit(std::span<const Sample> samples, std::span<const double> targets,
           std::span<const double> weights);
  // Before anything was learned all scores are 0.
  std::vector<Prediction> predict(std::span<const Sample> samples) const override;
  std::string weights() const override;
  void set_weights(const std::string& bytes) override;

 private:
  BoostedTreesOptions options_;
  std::vector<int> columns_;      // that the boosters see
  std::vector<Booster> members_;  // of the score
  std::optional<Booster> validity_;
};

}  // namespace hone::score
