// Artefacts as the user names them.
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

}  // namespace hone::cli
