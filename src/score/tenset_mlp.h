// TenSet-MLP: statements encoded one by one, their sum, residual blocks.
#pragma once
#include "score/network.h"

namespace hone::score {

std::unique_ptr<Network> make_tenset_mlp(const ScorerFile& file, const CompileDense& compile,
                                         bool tells_hidden);

}  // namespace hone::score
