// Whether a trained scorer can be used here at all.
#pragma once
#include <string>

#include "score/scorer_file.h"

namespace hone::tune {

// Why not: it was trained on other features or on another kind of machine, or is of a kind that can
// only be judged. Empty when it can.
std::string misfit_of(const score::ModelHeader& header);

// Why nobody should expect much of it on this processor: it names the machines that it was trained on,
// and this is none of them. Empty otherwise.
std::string foreign_to(const std::string& cpu, const score::ModelHeader& header);

}  // namespace hone::tune
