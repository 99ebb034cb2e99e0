// The machine of each task of a data set, as its records and its importer state it.
#pragma once
#include <vector>

#include "record/dataset.h"
#include "space/hardware.h"
#include "target/descriptor.h"

namespace hone::cli {

// Of a task's first program. Where records state nothing, a CPU or a GPU as the target says.
std::vector<space::Hardware> hardware_of_tasks(const record::Dataset& set);
// What the set says of the machine of a task: nothing when it is not named. UserError when that cannot
// be read.
target::Descriptor descriptor_of(const record::Dataset& set, std::size_t task);

}  // namespace hone::cli
