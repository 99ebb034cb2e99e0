// A cost model that has learned nothing: the cycles that the features themselves estimate.
#pragma once
#include "score/model.h"

namespace hone::score {

// A score says how often the program runs in a million cycles. What it does in them, work that the
// computation does not ask for included, must not count in its favour.
class Analytic final : public Model {
 public:
  // The column of a row that holds log2(1 + cycles).
  explicit Analytic(std::size_t cycles_column) : cycles_column_(cycles_column) {}

  const char* kind() const override { return "analytic"; }
  void train(std::span<const Sample> /*unused*/, std::span<const double> /*unused*/) override {}
  std::vector<Prediction> predict(std::span<const Sample> samples) const override;
  std::string weights() const override { return {}; }
  void set_weights(const std::string& /*unused*/) override {}

 private:
  std::size_t cycles_column_;
};

}  // namespace hone::score
