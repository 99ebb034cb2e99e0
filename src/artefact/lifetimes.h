// From which step to which a buffer's contents matter.
#pragma once
#include <vector>

#include "artefact/program.h"

namespace hone::artefact {

struct Lifetime {
  int first = -1, last = -1;  // steps; both -1 when nobody touches the buffer

  bool is_touched() const { return first >= 0; }
  bool overlaps(const Lifetime& other) const { return first <= other.last && other.first <= last; }
};

// One a buffer; views have that of the buffer they lie in, and it has theirs. What a loop shares with
// the steps around it, or has a slice of for each iteration, lives as long as the loop; the rest is
// written anew in every iteration before it is read.
std::vector<Lifetime> lifetimes(const Program& program);

}  // namespace hone::artefact
