// Which op of the task every stage works for: the names under which parts of candidates are compared.
#pragma once
#include <vector>

#include "schedule/state.h"

namespace hone::schedule {

// One op of the task before any step for each stage. What CHW and RF take out of a stage works for the
// stage's own op; the copy that CHR makes works for its first reader.
std::vector<int> original_ops(const State& state);

}  // namespace hone::schedule
