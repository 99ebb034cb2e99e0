// hone's own features of schedule primitives: one row a step, with everything that its numbers only
// hint at resolved in the finished program.
//
// A step names stages and iterators by ids that mean something else in every task; here stand their
// roles, extents and places instead, so rows of different tasks, logs and machines speak of the same
// things. No step is cut off.
#pragma once
#include <string>
#include <vector>

#include "feature/loop_tree.h"
#include "feature/step_notes.h"

namespace hone::feature {

// Changes when a column changes its meaning; files of models carry it.
inline constexpr int kPrimitiveRowVersion = 1;

const std::vector<std::string>& primitive_row_names();
std::vector<float> primitive_rows(const NotedState& noted, const LoopTree& tree);  // one row a step

}  // namespace hone::feature
