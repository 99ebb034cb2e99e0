// How much of each tensor the iterations of a loop touch.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "feature/loop_tree.h"

namespace hone::feature {

// What the stores inside a loop have touched so far.
struct Touched {
  struct Entry {
    int tensor;
    int count;                  // accesses by different stores
    std::int64_t first, least;  // elements
  };
  std::vector<Entry> entries;
  double bytes = 0;          // of all accesses
  double element_bytes = 0;  // one element of each access

  void add(int tensor, std::int64_t elements, int bytes_an_element);
  const Entry& of(int tensor) const;
};

// The extents of the box that the accesses cover when loops deeper than `depth` run over their whole
// range, the one at `depth` turns so often, and the others stand at their first iteration. `depth_of` a
// variable is that of its loop.
inline constexpr std::int64_t kAllTurns = std::numeric_limits<std::int64_t>::max();
void touched_box(const schedule::Vars& vars, const Access& access, const std::vector<int>& depth_of,
                 int depth, std::vector<std::int64_t>& box, std::int64_t turns = kAllTurns);

}  // namespace hone::feature
