// A variant as the bytes that the runtime uses where they lie.
#pragma once
#include <cstddef>
#include <vector>

#include "artefact/artefact.h"
#include "artefact/plan_memory.h"
#include "artefact/weights.h"

namespace hone::artefact {

struct Encoded {
  std::vector<std::byte> program, images;
};

// The variant's weights are packed and its program is verified; those that it uses are added to
// `weights`.
Encoded encode(const Variant& variant, const MemoryPlan& plan, Weights& weights);

}  // namespace hone::artefact
