// A model that learns nothing from trials: what was learned elsewhere, as it is.
#pragma once
#include <memory>
#include <utility>

#include "score/model.h"

namespace hone::score {

class Frozen final : public Model {
 public:
  explicit Frozen(std::shared_ptr<const Predictor> known) : known_(std::move(known)) {}

  const char* kind() const override { return "frozen"; }
  void train(std::span<const Sample> /*unused*/, std::span<const double> /*unused*/) override {}
  std::vector<Prediction> predict(std::span<const Sample> samples) const override {
    return known_->predict(samples);
  }
  std::string weights() const override { return {}; }
  void set_weights(const std::string& /*unused*/) override {}

 private:
  std::shared_ptr<const Predictor> known_;
};

}  // namespace hone::score
