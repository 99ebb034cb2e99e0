// An artefact on disk.
#pragma once
#include <cstdint>
#include <string>

#include "artefact/build.h"

namespace hone::artefact {

// Whole or not at all: under another name first. Returns its size in bytes; UserError when it cannot be
// written.
std::uint64_t write(const File& file, const std::string& path);

}  // namespace hone::artefact
