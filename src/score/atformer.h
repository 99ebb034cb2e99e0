// ATFormer, and TenSet's multi-head attention: layers of attention among the statements of a program.
#pragma once
#include "score/network.h"

namespace hone::score {

std::unique_ptr<Network> make_atformer(const ScorerFile& file, const CompileDense& compile,
                                       bool tells_hidden);
std::unique_ptr<Network> make_statement_attention(const ScorerFile& file, const CompileDense& compile,
                                                  bool tells_hidden);

}  // namespace hone::score
