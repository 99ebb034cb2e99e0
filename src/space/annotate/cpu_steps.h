// Ansor's annotation on CPUs: places, parallel loops, unrolling and vector loops, in this order.
#pragma once
#include <span>

#include "space/annotate/layout.h"

namespace hone::space {

// The entry for a single parallel loop that is fused nevertheless: Ansor's mutation writes it so. The
// program is the same, the steps are not.
inline constexpr std::int64_t kFusedAlone = -1;

void add_cpu_sites(Outline& outline);

// Appends the steps; false when the entries do not fit the sketch or each other.
bool write_cpu_steps(const Outline& outline, const Decisions& decisions, schedule::Steps& steps);
// Reads entries out of steps that follow the sketch; steps of other kinds are left for the comparison
// with what the entries decode to.
void read_annotation(const Outline& outline, std::span<const schedule::Step> steps,
                     Decisions& decisions);

}  // namespace hone::space
