// A task's answer by its definition: every op element by element, in double precision.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "task/task.h"

namespace hone::task {

// The output tensors (all outputs of each of Task::outputs) for the placeholders' values; both in their
// order and row-major. Floats are not rounded to their types; integers wrap as theirs do and are exact
// below 2^53. A reference for small tasks. Reads out of bounds throw InternalError.
std::vector<std::vector<double>> evaluate(const Task& task,
                                          const std::vector<std::vector<double>>& inputs);

// Element `element` of placeholder number `placeholder`.
using InputValue = std::function<double(int placeholder, std::int64_t element)>;
// The same for some elements of one output: of everything before them only what they need is computed,
// so that large tasks can be sampled.
std::vector<double> evaluate_at(const Task& task, const InputValue& input, int output,
                                const std::vector<std::int64_t>& elements);

}  // namespace hone::task
