// Steps for ops that go row by row: elementwise ops and reductions along rows, with what they attach.
#pragma once
#include <vector>

#include "space/tiling.h"

namespace hone::space {

// Appends the steps of all ops with role Rows or Attached, `choices` being one an op in stage order.
// Reductions are factored, which adds stages: returns the stage that each op has after this.
std::vector<int> write_row_steps(const task::Task& task, const std::vector<StageRole>& roles,
                                 const std::vector<RowTiling>& choices, schedule::Steps& steps);

// Whether the op reduces neighbouring elements: vectors then lie along its last reduce axis.
bool reduces_rows(const task::Op& op);

}  // namespace hone::space
