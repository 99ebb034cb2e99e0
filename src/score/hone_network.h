// hone's own model: statements, resolved primitives and the task, seen by several small networks.
#pragma once
#include "score/network.h"

namespace hone::score {

std::unique_ptr<Network> make_hone_network(const ScorerFile& file, const CompileDense& compile,
                                           bool tells_hidden);

}  // namespace hone::score
