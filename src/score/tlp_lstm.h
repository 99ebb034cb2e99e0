// TLP with its other back end: an LSTM reads a program's primitives, and what it says at the end is
// decoded.
#pragma once
#include "score/network.h"
#include "score/tlp_parts.h"

namespace hone::score {

std::unique_ptr<Network> make_tlp_lstm(const std::vector<NamedTensor>& tensors, const TlpSizes& sizes,
                                       const std::vector<std::string>& decoders,
                                       const CompileDense& compile);

}  // namespace hone::score
