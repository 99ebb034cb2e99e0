// The ranges of all loops of a state, and the part of its tensor that each stage computes.
#pragma once
#include <vector>

#include "schedule/range.h"

namespace hone::schedule {

struct StageBounds {
  Var first_var = 0;          // loop number l of the stage is variable first_var + l
  Var first_axis = 0;         // the value of axis a, as index expressions see it, is first_axis + a
  std::vector<Range> region;  // one an axis of the op, then one a reduce axis
};

// Every loop runs from 0; the values of a stage's axes begin at its region's least element.
struct Bounds {
  Vars vars;
  std::vector<StageBounds> stages;  // as State::stages; no region for inlined stages

  bool is_empty() const { return stages.empty(); }
  Var var(int stage, int loop) const {
    return stages[static_cast<std::size_t>(stage)].first_var + loop;
  }
  std::int64_t extent(int stage, int loop) const { return vars.extent(var(stage, loop)); }
};

}  // namespace hone::schedule
