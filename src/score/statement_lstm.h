// TenSet's LSTM over the statements of a program.
#pragma once
#include "score/network.h"

namespace hone::score {

std::unique_ptr<Network> make_statement_lstm(const ScorerFile& file, const CompileDense& compile,
                                             bool tells_hidden);

}  // namespace hone::score
