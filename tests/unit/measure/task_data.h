// The task of the raw kernels, with samples of what they ought to answer.
#pragma once
#include "kernels/raw_kernels.h"
#include "measure/measurer.h"
#include "measure/tolerance.h"
#include "worker/inputs.h"

namespace hone::measure {

inline TaskData raw_task() {
  using worker::Role;
  TaskData task;
  task.seed = 7;
  for (const auto& [name, role] :
       {std::pair{"A", Role::Input}, {"W", Role::Constant}, {"C", Role::Output}}) {
    task.buffers.push_back({name, ir::Scalar::F32, {test::kElements}, test::kElements, role});
  }
  task.tolerances.assign(3, tolerance(ir::Scalar::F32, 1));
  for (const std::int64_t element : {std::int64_t{0}, std::int64_t{1}, test::kElements - 1}) {
    task.samples.push_back({2, element,
                            worker::random_value(7, 0, element, ir::Scalar::F32) +
                                worker::random_value(7, 1, element, ir::Scalar::F32)});
  }
  return task;
}

inline Build built(const char* name) {
  return [name] { return test::raw_kernel(name); };
}

}  // namespace hone::measure
