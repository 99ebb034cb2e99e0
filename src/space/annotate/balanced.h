// Tile sizes that need not divide the loop: pieces of equal size, the last one cut short.
#pragma once
#include "space/annotate/outline.h"

namespace hone::space {

// Gives the split new lengths, from the inside out: each cuts what is left into pieces of equal size.
void draw_balanced(const SplitSite& site, Decisions& decisions, Random& random);
// Draws one of the lengths anew; false when it comes out as it was.
bool change_balanced(const SplitSite& site, Decisions& decisions, Random& random);
// Brings lengths that were chosen for another extent within this one.
void fit_balanced(const SplitSite& site, Decisions& decisions);
// The lengths of the split with one of them a little larger or smaller.
std::vector<Lengths> balanced_neighbours(const SplitSite& site, const Decisions& decisions);

}  // namespace hone::space
