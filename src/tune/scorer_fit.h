// Whether a trained scorer can be used here at all.
#pragma once
#include <string>

#include "score/scorer_file.h"

namespace hone::tune {

// Why not: it was trained on other features or on another kind of machine, or is of a kind that can
// only be judged. Empty when it can.
std::string misfit_of(const score::ModelHeader& header);

}  // namespace hone::tune
