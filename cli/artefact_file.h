// Artefacts as the user names them, and tensors to run them on.
#pragma once
#include <string>
#include <vector>

#include "artefact/session.h"

namespace hone::cli {

// A file called *.hone, or one that begins as artefacts do.
bool is_artefact(const std::string& file);

// The session of an artefact on so many threads, 0 for one a core. Says on stderr when it was tuned for
// another number. Throws UserError.
artefact::Session open_artefact(const std::string& file, int threads);

// The same ones every time, for the input with this number. Integers are 0 or 1: they may be indices of
// a small table.
model::Tensor random_input(const artefact::TensorInfo& info, std::size_t number);

}  // namespace hone::cli
