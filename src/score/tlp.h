// TLP: a program is its schedule's primitives; attention between them, and the sum over all of them.
#pragma once
#include "score/network.h"

namespace hone::score {

std::unique_ptr<Network> make_tlp(const ScorerFile& file, const CompileDense& compile,
                                  bool tells_hidden);
// MTL-TLP: TLP with the decoder of its target, or with the mean of several machines' decoders.
std::unique_ptr<Network> make_mtl_tlp(const ScorerFile& file, const CompileDense& compile,
                                      bool tells_hidden);

}  // namespace hone::score
