// A task's answer by its definition: every op element by element, in double precision.
#pragma once
#include <vector>

#include "task/task.h"

namespace hone::task {

// The output tensors (all outputs of each of Task::outputs) for the placeholders' values; both in their
// order and row-major. Floats are not rounded to their types; integers wrap as theirs do and are exact
// below 2^53. A reference for small tasks. Reads out of bounds throw InternalError.
std::vector<std::vector<double>> evaluate(const Task& task,
                                          const std::vector<std::vector<double>>& inputs);

}  // namespace hone::task
