// How the entries of a sketch are drawn, changed and made to fit each other.
#pragma once
#include <optional>

#include "space/annotate/extents.h"
#include "space/filter.h"

namespace hone::space {

// What the functions here look at.
struct SketchView {
  const Outline& outline;
  const ExtentArithmetic& arithmetic;
  const Hardware& hardware;
  bool any_size = false;  // tiles need not divide: hone's own space
};

// draw.cpp: Ansor's initial population (ansor.md 5). Decisions have their size and entry 0.
void draw_lengths(const SketchView& sketch, Decisions& decisions, Random& random);
void draw_unroll(const SketchView& sketch, Decisions& decisions, Random& random);
// Places, parallel loops and vectors, which CPUs have.
void draw_places(const SketchView& sketch, Decisions& decisions, Random& random);
// The leading loops that are fused: until they are enough for the cores, or something is computed
// there.
int enough_parallel(const SketchView& sketch, const Layout& layout, const IterExtents& extents,
                    int stage);

// mutate.cpp: Ansor's four mutations (ansor.md 6.4). False when there is nothing to change.
bool mutate_lengths(const SketchView& sketch, Decisions& decisions, Random& random);
bool mutate_unroll(const SketchView& sketch, Decisions& decisions, Random& random);
bool mutate_place(const SketchView& sketch, Decisions& decisions, Random& random);
bool mutate_parallel(const SketchView& sketch, Decisions& decisions, Random& random);
// A split gets sizes that need not divide.
bool mutate_balanced(const SketchView& sketch, Decisions& decisions, Random& random);

// fit.cpp: brings tile sizes of a task that differs in sizes within the loops of this one.
void fit_lengths(const SketchView& sketch, Decisions& decisions);

// Brings the numbers of parallel and vector loops within what the places allow.
void fit_counts(const SketchView& sketch, Decisions& decisions);

// usage.cpp: what the candidate asks of registers and caches.
Usage usage_of(const SketchView& sketch, const Decisions& decisions, int vector_bits);

// neighbours.cpp: decisions that differ in one meaning by one step, valid or not.
std::vector<Decisions> one_step_away(const SketchView& sketch, const Decisions& decisions);

}  // namespace hone::space
