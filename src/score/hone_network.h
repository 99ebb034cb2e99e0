// hone's own model: statements, resolved primitives and the task, seen by several small networks.
#pragma once
#include "score/network.h"

namespace hone::score {

std::unique_ptr<Network> make_hone_network(const ScorerFile& file, const CompileDense& compile,
                                           bool tells_hidden);

// Of the views that such a network reads, those that are one row a program: trees look at all of them.
std::vector<std::string> tree_views(const std::vector<std::string>& views);

}  // namespace hone::score
