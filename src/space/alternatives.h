// What single steps of a program could be instead, all others staying as they are.
#pragma once
#include <memory>
#include <vector>

#include "schedule/step.h"
#include "space/hardware.h"
#include "task/task.h"

namespace hone::space {

struct Alternative {
  std::size_t step;       // which one is another
  bool is_undone;         // it does nothing there: not split, not annotated, computed at the root
  schedule::Steps steps;  // of the whole program
};

// Splits whose factors stand at other levels, other unroll limits, places and orders, loops without
// their annotation, fewer or more fused ones. All of them can be applied to the task; whether a search
// would try them is not asked. Steps that others count on (copies of a stage, splits that follow
// others) have none. Throws UserError when the program itself cannot be applied.
std::vector<Alternative> alternatives(const std::shared_ptr<const task::Task>& task,
                                      const schedule::Steps& steps, Hardware::Kind kind);

}  // namespace hone::space
