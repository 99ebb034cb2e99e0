// Results of searches as pictures.
#pragma once
#include <string>
#include <vector>

#include "benchmarks/search_result.h"

namespace hone::bench {

// A panel a variant: share of the best known over trials, in the geometric mean over the cases, with
// random search beside it where that was run on them all.
std::string search_figure(const std::vector<CaseResult>& cases);
// A panel a case, with a curve a variant.
std::string ablation_figure(const std::vector<CaseResult>& cases);

}  // namespace hone::bench
