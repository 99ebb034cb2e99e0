// Scores without any knowledge: the floor under all models.
#pragma once
#include <cstdint>

#include "score/model.h"

namespace hone::score {

// A sample's score is drawn from [0, 1) by its values, so that equal programs score equally.
class RandomModel final : public Model {
 public:
  explicit RandomModel(std::uint64_t seed) : seed_(seed) {}

  const char* kind() const override { return "random"; }
  void train(std::span<const Sample> /*unused*/, std::span<const double> /*unused*/) override {}
  std::vector<Prediction> predict(std::span<const Sample> samples) const override;
  std::string weights() const override { return {}; }
  void set_weights(const std::string& /*unused*/) override {}

 private:
  std::uint64_t seed_;
};

}  // namespace hone::score
