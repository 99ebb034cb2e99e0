// From a tuned model to the sections of its file.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "artefact/artefact.h"
#include "artefact/weights.h"
#include "runtime/format.h"

namespace hone::artefact {

struct Section {
  runtime::SectionKind kind;
  std::uint32_t variant = 0;
  std::vector<std::byte> bytes = {};  // of the weights: empty, they are many and stay where they are
};

struct File {
  std::vector<Section> sections;  // in the order of the file
  Weights weights;
};

// Packs the weights, checks the programs and plans their memory.
File build(const Artefact& artefact);

}  // namespace hone::artefact
