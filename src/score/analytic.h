// A cost model that has learned nothing: the cycles that the features themselves estimate.
#pragma once
#include "score/model.h"

namespace hone::score {

// Which columns of a row hold what, each as log2(1 + value).
struct AnalyticColumns {
  std::size_t cycles = 0;  // that the row's statement takes
  std::size_t ideal = 0;   // that it would take at the machine's peak
};

// A score is the share of the machine's peak that the program reaches, from 0 to 1.
class Analytic final : public Model {
 public:
  explicit Analytic(const AnalyticColumns& columns) : columns_(columns) {}

  const char* kind() const override { return "analytic"; }
  void train(std::span<const Sample> /*unused*/, std::span<const double> /*unused*/) override {}
  std::vector<Prediction> predict(std::span<const Sample> samples) const override;
  std::string weights() const override { return {}; }
  void set_weights(const std::string& /*unused*/) override {}

 private:
  AnalyticColumns columns_;
};

}  // namespace hone::score
