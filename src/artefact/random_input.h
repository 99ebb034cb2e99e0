// Tensors to run an artefact on when nobody gives any.
#pragma once
#include "artefact/session.h"

namespace hone::artefact {

// The same ones every time, for the input with this number. Integers are 0 or 1: they may be indices of
// a small table.
model::Tensor random_input(const TensorInfo& info, std::size_t number);

}  // namespace hone::artefact
