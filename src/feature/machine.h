// The machine that programs run on, for models that know several.
#pragma once
#include <string>
#include <vector>

#include "space/hardware.h"
#include "target/descriptor.h"

namespace hone::feature {

inline constexpr int kMachineVersion = 1;  // of the columns below

// Whether it is a CPU, whether a GPU, then of each number its amount and whether it is known. The eight
// numbers of records say what the descriptor leaves open: threads, cores, limits of a GPU.
std::vector<float> machine_row(const target::Descriptor& descriptor, const space::Hardware& hardware);
const std::vector<std::string>& machine_names();

}  // namespace hone::feature
