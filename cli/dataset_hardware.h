// The machine of each task of a data set, as its records state it.
#pragma once
#include <vector>

#include "record/dataset.h"
#include "space/hardware.h"

namespace hone::cli {

// Of a task's first program. Where records state nothing, a CPU or a GPU as the target says.
std::vector<space::Hardware> hardware_of_tasks(const record::Dataset& set);

}  // namespace hone::cli
