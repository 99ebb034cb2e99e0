#include "score/random_model.h"

#include <bit>

#include "base/random.h"

namespace hone::score {

std::vector<Prediction> RandomModel::predict(std::span<const Sample> samples) const {
  std::vector<Prediction> out;
  for (const Sample& sample : samples) {
    std::uint64_t hash = 0;
    for (const float value : sample.values) hash = mix_bits(hash + std::bit_cast<std::uint32_t>(value));
    Prediction& prediction = out.emplace_back();
    prediction.score = Random(seed_, hash).unit();
    prediction.valid = sample.n_rows() == 0 ? 0 : 1;
    prediction.parts.assign(sample.n_rows(),
                            static_cast<float>(prediction.score) / static_cast<float>(sample.n_rows()));
  }
  return out;
}

}  // namespace hone::score
