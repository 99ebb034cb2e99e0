// What both back ends of TLP have in common: sizes, how rows are read, and the decoders.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "score/dense.h"
#include "score/layers.h"

namespace hone::score {

struct TlpSizes {
  std::string view;  // the rows that it reads: tlp, or another crop of them
  std::int64_t steps, columns, width;
  std::int64_t hidden;   // what the last layers read; 0: it is not told
  bool has_log_numbers;  // a number x of a row enters as sign(x) log2(1 + |x|), otherwise as it is
};

// What `of_rows` says of `n` rows, read as the network was trained to. The flags of a row are 0 or 1 on
// either scale, so that whole rows are scaled.
void encode_tlp(const DenseFunction& of_rows, const TlpSizes& sizes, std::size_t n,
                std::span<const float> rows, std::span<const std::span<float>> outputs);

// The mean of what the decoders say of x, and if `tells_hidden` what their last layers read.
std::vector<graph::ValueId> decode_tlp(Layers& layers, graph::ValueId x,
                                       const std::vector<std::string>& decoders, bool tells_hidden);

}  // namespace hone::score
