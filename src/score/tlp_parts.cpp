#include "score/tlp_parts.h"

namespace hone::score {

using graph::ValueId;

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
