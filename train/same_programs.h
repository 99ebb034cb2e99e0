// Programs that were measured on several machines.
#pragma once
#include <vector>

#include "train/data_set.h"

namespace hone::train {

// Of each program the first one of the set that has the same steps in a task of the same key, whatever
// the machine: itself when there is none before it. UserError when a file does not hold the steps.
std::vector<Program> first_of_same(const DataSet& set);

}  // namespace hone::train
