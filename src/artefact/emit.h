// An artefact in forms that other programs take in, as files beside each other.
#pragma once
#include <string>
#include <vector>

#include "artefact/artefact.h"

namespace hone::artefact {

// STEM.c, STEM.h and STEM.weights: kernels as C. The artefact was made with their loops. Returns the
// files.
std::vector<std::string> write_c(const Artefact& artefact, const std::string& stem);

// STEM.so and STEM.h: kernels as machine code, linked by the system's C compiler. UserError when there
// is none.
std::vector<std::string> write_shared_object(const Artefact& artefact, const std::string& stem);

}  // namespace hone::artefact
