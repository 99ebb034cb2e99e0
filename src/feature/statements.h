// Ansor's statement features: one row of numbers for every tensor that a candidate writes.
#pragma once
#include <span>
#include <vector>

#include "feature/loop_tree.h"
#include "feature/names.h"
#include "space/hardware.h"

namespace hone::feature {

struct Statements {
  std::vector<float> values;  // rows of kStatementColumns
  std::vector<int> stages;    // the stage (and op) of each row

  std::size_t size() const { return stages.size(); }
  std::span<const float> row(std::size_t i) const {
    return std::span(values).subspan(i * kStatementColumns, kStatementColumns);
  }
};

// Rows stand in the order in which the nest first stores to the tensors.
Statements statements(const LoopTree& tree, int cache_line_bytes);
// The same of a state that has its bounds; no rows when it does not fit on the hardware (limits.h).
Statements statements(const schedule::State& state, const space::Hardware& hardware);

}  // namespace hone::feature
