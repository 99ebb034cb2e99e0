// A network whose last layer is known, for tests of what is fitted in its place.
#pragma once
#include <cmath>

#include "base/random.h"
#include "score/model.h"

namespace hone::score {

// Reads the sample's numbers; its last layer likes the first one only.
class KnowsTheFirst final : public Predictor {
 public:
  std::vector<Prediction> predict(std::span<const Sample> samples) const override {
    std::vector<Prediction> out;
    for (const Sample& sample : samples)
      out.push_back({.score = std::exp(double{sample.values[0]}), .hidden = sample.values});
    return out;
  }
};

// Six numbers between -1 and 1 each.
inline std::vector<Sample> random_samples(int n, std::uint64_t seed) {
  std::vector<Sample> out;
  Random random(seed, 0);
  for (int i = 0; i < n; ++i) {
    std::vector<float> values;
    for (int j = 0; j < 6; ++j) values.push_back(static_cast<float>(2 * random.unit() - 1));
    out.push_back({std::move(values), {0}});
  }
  return out;
}

}  // namespace hone::score
