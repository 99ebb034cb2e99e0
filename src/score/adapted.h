// A network with an adapter beside its last layer, trained on what is measured.
#pragma once
#include <memory>
#include <vector>

#include "score/trials.h"

namespace hone::score {

// Few units between what the last layer reads, h, and the score.
struct Bottleneck {
  std::size_t width = 0;  // of h
  Row weights;            // unit by unit: what it looks at (width), its bias, what it says

  std::size_t n_units() const { return weights.size() / (width + 2); }
  // The sum over the units of says * tanh(looks_at h + bias). `active`, if given, becomes the tanh.
  double value(std::span<const double> h, Row* active = nullptr) const;
};

// Trials of a task can say more in an adapter than by a change of the last layer, which is linear, and
// it has a small part of the network's weights. Units say nothing at first, so that the network begins
// as it was trained, and every change costs.
class Adapted final : public Model {
 public:
  // Its predictions tell what the last layer read.
  Adapted(std::shared_ptr<const Predictor> known, std::uint64_t seed)
      : known_(std::move(known)), seed_(seed) {}

  const char* kind() const override { return "adapted"; }
  void train(std::span<const Sample> samples, std::span<const double> labels) override;
  std::vector<Prediction> predict(std::span<const Sample> samples) const override;
  std::string weights() const override { return {}; }
  void set_weights(const std::string& /*unused*/) override {}

 private:
  const std::shared_ptr<const Predictor> known_;
  const std::uint64_t seed_;
  Row centre_;         // of what the last layer read in the trials
  double scale_ = 1;   // from there to what the units look at
  double offset_ = 0;  // of the layer's bias: from the network's scores to labels
  Bottleneck adapter_;
};

}  // namespace hone::score
