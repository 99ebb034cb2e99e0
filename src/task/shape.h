// Extents that a task's text leaves out.
#pragma once
#include <vector>

#include "task/task.h"

namespace hone::task {

// Fills in the extents of axes and reduce axes that are 0, from placeholders' shapes and what is known
// already (usually the outputs, from the workload key). In the order of trust:
//  1. a constant matrix has the size its body repeats with, and the window of an average the one it is
//  divided by;
//  2. an axis that alone indexes a dimension runs over the whole of it;
//  3. a computed dimension is as large as its readers reach, and padding is as wide behind as in front
//  (wider where
//     readers reach further; where only the end is guarded there is at least one element behind it);
//  4. an axis in a longer index goes as far as the index stays inside. A window over a padded dimension
//  whose
//     stride leaves open how large it is has an odd size.
// Buffers of computed ops are asked for nothing but their identity. Throws UserError naming op and axis
// when the facts do not suffice or an access leaves its buffer.
void infer_extents(std::vector<Op>& ops);

// Rows and columns of an op whose body only looks a constant up: select(((floormod(i, 6) == 5) && ...),
// 1f, ...).
struct MatrixSize {
  std::int64_t rows, columns;
};
std::optional<MatrixSize> constant_matrix_size(const Op& op);

}  // namespace hone::task
