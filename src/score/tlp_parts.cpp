#include "score/tlp_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hone::score {
namespace {

// In floats, as in training.
float log_scale(float number) { return std::copysign(std::log2(std::abs(number) + 1), number); }

}  // namespace

using graph::ValueId;

void encode_tlp(const DenseFunction& of_rows, const TlpSizes& sizes, std::size_t n,
                std::span<const float> rows, std::span<const std::span<float>> outputs) {
  std::vector<float> scaled;
  if (sizes.has_log_numbers) {
    scaled.resize(rows.size());
    std::ranges::transform(rows, scaled.begin(), log_scale);
    rows = scaled;
  }
  of_rows.run(n, std::array{rows}, outputs);
}

std::vector<ValueId> decode_tlp(Layers& layers, ValueId x, const std::vector<std::string>& decoders,
                                bool tells_hidden) {
  ValueId score = x;
  std::vector<ValueId> hidden;
  for (const std::string& decoder : decoders) {
    hidden.push_back(x);
    const ValueId said = layers.chain(x, decoder, false, &hidden.back());
    score = hidden.size() == 1 ? said : layers.add(score, said);
  }
  if (decoders.size() > 1) score = layers.scale(score, 1 / static_cast<double>(decoders.size()));
  std::vector<ValueId> outputs = {score};
  if (tells_hidden)
    outputs.push_back(hidden.size() == 1 ? hidden[0] : layers.concat(hidden, /*axis=*/1));
  return outputs;
}

}  // namespace hone::score
