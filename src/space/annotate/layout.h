// Where every stage of a candidate is computed, and where else it could be.
#pragma once
#include "space/annotate/outline.h"

namespace hone::space {

// One place a stage: Root, Inline or At. Inputs are at the root.
using Layout = std::vector<Place>;

Layout layout_of(const Outline& outline, const Decisions& decisions);
// Where the stage is once its entry is read.
Place place_of(const Outline& outline, int stage, const Decisions& decisions);

bool has_attached(const Layout& layout, int stage, int iter);

// Whether each stage is computed around everything that reads it.
bool is_visible(const Outline& outline, const Layout& layout);

// The stages that read the result of this one, looking through what is inlined.
std::vector<int> consumers(const Outline& outline, const Layout& layout, int stage);

// Extents of the iterators of all stages that are not inlined; those of inlined ones are empty.
using IterExtents = std::vector<std::vector<std::int64_t>>;
// Ansor's places for a stage inside others (ansor.md 5.2), given that of all later stages. Loops of one
// iteration are left out: computing there is computing one loop further out.
std::vector<Place> candidate_places(const Outline& outline, const Layout& layout,
                                    const IterExtents& extents, int stage);

// The most leading iterators of a root stage that can be fused and run in parallel.
int max_parallel(const Outline& outline, const Layout& layout, int stage);
// The most trailing iterators that can be fused into a vector loop when `parallel` leading ones run in
// parallel.
int max_vector(const Outline& outline, const Layout& layout, int stage, int parallel);

}  // namespace hone::space
