// Extents of all loops of a candidate by plain arithmetic on its decisions, without bound inference.
#pragma once
#include "space/annotate/footprint.h"
#include "space/annotate/layout.h"

namespace hone::space {

// A stage that is computed inside another has loops as long as its readers need; where a read is no sum
// of axes its whole tensor counts. Exact for tile sizes that divide.
class ExtentArithmetic {
 public:
  explicit ExtentArithmetic(const Outline& outline);

  // Fills in the extents of one stage, those of all later stages being there.
  void settle(const Decisions& decisions, const Layout& layout, int stage, IterExtents& extents) const;
  IterExtents settle_all(const Decisions& decisions, const Layout& layout) const;

 private:
  struct Window;
  std::vector<std::int64_t> axis_extents(const Loops& loops, const Decisions& decisions) const;
  std::vector<std::int64_t> loop_extents(const Loops& loops, std::vector<std::int64_t> axes,
                                         std::size_t n_loops, const Decisions& decisions) const;
  std::vector<std::int64_t> running_axes(const Window& window) const;
  std::vector<std::int64_t> needed(const Window& window, int stage) const;

  const Outline& outline_;
  std::vector<std::vector<ReadTerms>> reads_;
};

}  // namespace hone::space
