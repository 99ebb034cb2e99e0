// The analytic estimate of a program, corrected by trees that have learned from measured programs of
// many tasks where it is wrong.
#pragma once
#include "score/network.h"

namespace hone::score {

// A score is how often the program runs in a million of the cycles that the analysis says, times a
// power of e: the sum of the trees over one row that its views make together. So what the trees know
// nothing of is judged by the analysis. No layer, and nothing to compile; UserError when it is asked
// what its last layer read.
std::unique_ptr<Network> make_corrected(const ScorerFile& file, const CompileDense& compile,
                                        bool tells_hidden);

// The views that it is trained on, in the order in which they make a row; the analysis stands in the
// first.
const std::vector<std::string>& corrected_views();

}  // namespace hone::score
