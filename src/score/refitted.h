// A network whose last layer is fitted to what is measured.
#pragma once
#include <memory>
#include <vector>

#include "score/trials.h"

namespace hone::score {

// The logarithm of a score is linear in what the last layer reads. From the trials of a task follows by
// how much to change that layer: least squares, fast programs counting more, and every change costs, so
// that the layer stays as it was trained where trials say nothing.
class Refitted final : public Model {
 public:
  // Its predictions tell what the last layer read.
  explicit Refitted(std::shared_ptr<const Predictor> known) : known_(std::move(known)) {}

  const char* kind() const override { return "refitted"; }
  void train(std::span<const Sample> samples, std::span<const double> labels) override;
  std::vector<Prediction> predict(std::span<const Sample> samples) const override;
  std::string weights() const override { return {}; }
  void set_weights(const std::string& /*unused*/) override {}

 private:
  const std::shared_ptr<const Predictor> known_;
  Row centre_;         // of what the layer read in the trials
  Row change_;         // of its weights
  double offset_ = 0;  // of its bias: from the network's scores to labels
};

}  // namespace hone::score
