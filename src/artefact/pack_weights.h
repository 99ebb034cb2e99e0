// Weights laid out as the kernels read them.
#pragma once
#include "artefact/artefact.h"

namespace hone::artefact {

// Calls whose kernel reads a weight packed get it packed, each weight once a layout. Such an operand
// must be a whole weight, or it is an InternalError.
Program pack_weights(Program program, const std::vector<KernelUse>& kernels);

}  // namespace hone::artefact
