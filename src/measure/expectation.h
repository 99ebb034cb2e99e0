// What a task's kernels ought to answer on the inputs they are measured with.
#pragma once
#include <cstdint>

#include "measure/measurer.h"
#include "task/task.h"

namespace hone::measure {

struct ExpectationOptions {
  std::uint64_t seed = 1;
  // At most so many multiply-adds are spent on the definition of the task: outputs that cost no more
  // are computed whole, others at `samples` elements.
  double whole_terms = 1e6;
  int samples = 400;
  double slack = 1;  // see tolerance.h
};

// Buffers, tolerances and elements of the outputs, computed in double precision by the definition of
// the task: every corner, and then elements at borders and at the edges of likely tiles before others.
TaskData expectations(const task::Task& task, const ExpectationOptions& options = {});

// Terms that are summed into one element of an output, over all ops on the way to it.
std::int64_t reduction_length(const task::Task& task);

}  // namespace hone::measure
