// What both back ends of TLP have in common: sizes, and the decoders.
#pragma once
#include <string>
#include <vector>

#include "score/layers.h"

namespace hone::score {

struct TlpSizes {
  std::string view;  // the rows that it reads: tlp, or another crop of them
  std::int64_t steps, columns, width;
  std::int64_t hidden;  // what the last layers read; 0: it is not told
};

// The mean of what the decoders say of x, and if `tells_hidden` what their last layers read.
std::vector<graph::ValueId> decode_tlp(Layers& layers, graph::ValueId x,
                                       const std::vector<std::string>& decoders, bool tells_hidden);

}  // namespace hone::score
