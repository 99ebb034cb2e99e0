// Ansor's statement features: one row of numbers for every tensor that a candidate writes.
#pragma once
#include <span>
#include <vector>

#include "feature/names.h"
#include "schedule/state.h"

namespace hone::feature {

struct Statements {
  std::vector<float> values;  // rows of kStatementColumns
  std::vector<int> stages;    // the stage (and op) of each row

  std::size_t size() const { return stages.size(); }
  std::span<const float> row(std::size_t i) const {
    return std::span(values).subspan(i * kStatementColumns, kStatementColumns);
  }
};

// The state must have its bounds. Rows stand in the order in which the nest first stores to the
// tensors.
Statements statements(const schedule::State& state, int cache_line_bytes = 64);

}  // namespace hone::feature
